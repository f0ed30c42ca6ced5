/**
 * A single shard under SINGLE_SHARDING_BALANCE moves from server to server. Java stores the next server in the node
 * `next-job-instance-ip` and ignores the owner of the shard. An instance that does not follow the node makes Java's
 * instances wait for it forever. In native mode the strategy decides, and the node is not written.
 */
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { availableInstances, isMixed, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { singleShardingBalance } from './strategies/single-sharding-balance.ts'

export interface TurnSettings {
  readonly total: number
  readonly strategy: string | undefined
}

/** Whether the shard of this job runs by turns. */
export function goesByTurns(view: JobView, { total, strategy }: TurnSettings): boolean {
  return total === 1 && strategy?.toUpperCase() === singleShardingBalance.type && isMixed(view)
}

export interface Turn {
  /** The instance that runs the shard; undefined if the named server has no available instance. */
  readonly instance: string | undefined
  /** When the turn began: earlier fire times belong to the previous instance. */
  readonly since: number
}

/** Undefined if the node names no server: then the owner runs the shard. */
export function turnOf(view: JobView): Turn | undefined {
  const { turn, lastFlag } = view
  if (turn === undefined || turn.ip === '') return undefined
  // At a fire that finds the flag up Java uses the owner; the end of that run names the next server.
  if (lastFlag !== undefined && lastFlag >= turn.ctime) return undefined
  const there = availableInstances(view).filter((instance) => serverOf(instance) === turn.ip)
  // A Java instance on the named server starts in any case, so it comes before a native instance there.
  return { instance: there.find(isJavaInstance) ?? there[0], since: turn.ctime }
}

/** Committed with the end of a run: gives the turn to the next server in Java's order. */
export function planNextTurn(view: JobView, me: Member): TransactionPart[] {
  const all = availableInstances(view)
  const place = all.indexOf(me.instance)
  if (place === -1) return []
  const others = [...all.slice(place + 1), ...all.slice(0, place)].map(serverOf)
  const next = others.find((ip) => ip !== me.ip)
  if (next === undefined) return []
  const { nextInstanceIp } = me.paths
  return [
    ...(view.turn === undefined ? [] : [part.delete(nextInstanceIp)]),
    part.ephemeral(nextInstanceIp, next),
  ]
}

/** A server without an instance cannot take its turn: the shard goes back to its owner. */
export function planTurnRepair(view: JobView, me: Member): TransactionPart[] {
  if (view.turn === undefined || view.necessary !== undefined) return []
  const turn = turnOf(view)
  if (turn === undefined || turn.instance !== undefined) return []
  return [part.delete(me.paths.nextInstanceIp)]
}
