/**
 * One shard under SINGLE_SHARDING_BALANCE goes from server to server. Java does that with a node of its own,
 * `next-job-instance-ip`, and does not look at the shard's owner: whoever does not play along has Java's instances wait
 * for it for ever. In a job without Java instances the strategy decides, and the node is not written.
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

/** Whether the shard goes by turns here. */
export function goesByTurns(view: JobView, { total, strategy }: TurnSettings): boolean {
  return total === 1 && strategy?.toUpperCase() === singleShardingBalance.type && isMixed(view)
}

export interface Turn {
  /** Who runs the shard; undefined if nobody of the server that is named can. */
  readonly instance: string | undefined
  /** Since when: what was scheduled before was somebody else's. */
  readonly since: number
}

/** Undefined if nobody is named: then the shard's owner runs it. */
export function turnOf(view: JobView): Turn | undefined {
  const { turn, lastFlag } = view
  if (turn === undefined || turn.ip === '') return undefined
  // Java goes by the owner at the fire that finds the flag up; the end of that run names the next.
  if (lastFlag !== undefined && lastFlag >= turn.ctime) return undefined
  const there = availableInstances(view).filter((instance) => serverOf(instance) === turn.ip)
  // Nothing keeps a Java instance from starting when its server is named: then it is not ours.
  return { instance: there.find(isJavaInstance) ?? there[0], since: turn.ctime }
}

/** With the end of a run: the next server in Java's order has its turn. */
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

/** A server that nobody is on cannot have its turn: the shard is its owner's again. */
export function planTurnRepair(view: JobView, me: Member): TransactionPart[] {
  if (view.turn === undefined || view.necessary !== undefined) return []
  const turn = turnOf(view)
  if (turn === undefined || turn.instance !== undefined) return []
  return [part.delete(me.paths.nextInstanceIp)]
}
