/**
 * Resharding of a job in which Java takes part: Java's barrier, to the letter. The flag `necessary` goes up; nothing of
 * ours starts while it is up, and Java's triggers wait for it; when nothing runs that moves or that is Java's, the
 * shards are assigned and the flag comes down.
 */
import { leaderChecks } from '../election/plan.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { isDead, type ShardNodes, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { needOf, ownerOf } from './needs.ts'
import {
  commit,
  reshard,
  type Resharding,
  type ReshardingContext,
  type ReshardingDecision,
} from './plan.ts'
import { leavingServers, planFormerServer } from './former-servers.ts'
import { leavingJava, planStamp, type StampContext } from './stamp.ts'
import { goesByTurns } from './turn.ts'

/** A Java trigger that meets the flag blocks, and runs nothing that moved: not right after a fire. */
const afterFire = 2000
/** A Java instance reads the flag, then the assignment, then starts: it is given time to have done so. */
const settle = 2000
/** So long before a fire the flag goes up if an owner is away: the clocks of Java's hosts may be ahead. */
const beforeFire = 1000

export interface MixedContext extends ReshardingContext, StampContext {
  /** The last time the job fired; undefined if it never did. */
  readonly lastFire: number | undefined
}

export function planMixedResharding(
  view: JobView,
  me: Member,
  context: MixedContext,
): ReshardingDecision {
  const need = needOf(view, { total: context.total, strategy: context.strategy.type })
  if (need === undefined) return holdFire(view, me, context) ?? clearFlag(view, me)
  if (view.necessary === undefined) return raiseFlag(view, me, context)
  if (isSomebodyAway(view)) return { do: 'nothing' }
  const resharded = reshard(view, context)
  // Nobody is in the way of what does not move.
  if (staysAsItIs(view, resharded)) return commit(view, me, need.reason, resharded)
  // Where none of Java's is left, nobody can have looked just before.
  const until = view.necessary.ctime + (isJavaThere(view) ? settle : 0)
  if (context.now < until) return { do: 'wait', until }
  for (const [shard, nodes] of view.shards) {
    // Its end is an event.
    if (isInTheWay(view, shard, nodes, resharded)) return { do: 'nothing' }
  }
  const leaving = shardsToStamp(view, resharded.owners, context)
  // A stamp accounts for all fire times before the move.
  const recorded = leavingServers(view, resharded.owners).filter(
    (shard) => !leaving.includes(shard),
  )
  const shards = [...leaving, ...recorded]
  if (shards.some((shard) => !context.states.has(shard))) return { do: 'read states', shards }
  const stamps = leaving.map((shard) =>
    planStamp(view, me, shard, context.states.get(shard), context),
  )
  // After a resharding the shard is its owner's, for Java as for us: nobody is named any more.
  const turn = byTurns(view, context) && view.turn !== undefined
  const records = recorded.map((shard) =>
    planFormerServer(view, me, shard, context.states.get(shard), context.now),
  )
  return commit(view, me, need.reason, resharded, [
    ...stamps,
    ...records,
    ...misfireMarks(view, me, leaving),
    ...(turn ? [[part.delete(me.paths.nextInstanceIp)]] : []),
  ])
}

/**
 * A Java instance whose node is away is back in a moment, or dead in a few seconds, and both wake us. Assigned to it,
 * the shards would need a second barrier, and what falls due between the two would run nowhere; under the flag Java's
 * triggers wait, and run it then.
 */
function isSomebodyAway(view: JobView): boolean {
  return [...view.absences.values()].some(({ isFinal }) => !isFinal)
}

/** Whether a shard is owned by a Java instance whose node is away. */
export function isOwnerAway(view: JobView): boolean {
  if (!isSomebodyAway(view)) return false
  for (const shard of view.shards.keys()) {
    if (view.absences.get(ownerOf(view, shard) ?? '')?.isFinal === false) return true
  }
  return false
}

function isJavaThere(view: JobView): boolean {
  return [...view.instances].some(isJavaInstance)
}

/**
 * A Java instance runs at a fire what it owns then, and knows of no fire but the present one. A shard that comes to it
 * when its owner turns out to be dead, after the fire, has lost it. So the fire waits under the flag until that is
 * known. Ours need no such thing: they run what was due before the shard was theirs.
 */
function holdFire(
  view: JobView,
  me: Member,
  context: MixedContext,
): ReshardingDecision | undefined {
  const { now, nextFire } = context
  if (nextFire === undefined || !isJavaThere(view) || !isOwnerAway(view)) return undefined
  const until = nextFire - beforeFire
  return now < until ? { do: 'wait', until } : putFlagUp(view, me)
}

/** Whether the flag has gone up for nothing: who was away is back, say. */
function staysAsItIs(view: JobView, { owners, assignment }: Resharding): boolean {
  if (assignment.digest !== view.assignment?.value.digest || assignment.moving.size > 0)
    return false
  if (view.shards.size !== owners.length) return false
  return owners.every((owner, shard) => owner === view.shards.get(shard)?.owner?.instance)
}

/** What runs and would move, or runs on Java, ends first; a mark that a dead instance left is no run. */
function isInTheWay(
  view: JobView,
  shard: number,
  { running, runner }: ShardNodes,
  { assignment }: Resharding,
): boolean {
  if (!running || (runner !== undefined && isDead(view, runner))) return false
  const owner = ownerOf(view, shard)
  if (owner === undefined || assignment.moving.has(shard)) return true
  return isJavaInstance(owner) || (runner !== undefined && isJavaInstance(runner))
}

function shardsToStamp(view: JobView, owners: readonly string[], context: MixedContext): number[] {
  // By turns it may have been Java's turn last, whoever owned the shard.
  if (byTurns(view, context)) return owners[0] === undefined || isJavaInstance(owners[0]) ? [] : [0]
  return leavingJava(view, owners)
}

/**
 * At the end of a run Java asks for the flag, then for a misfire of what it ran, and runs that once more: also if it
 * was assigned to somebody else in the moment between. Without the mark it does not, and ours tell a misfire by the
 * state.
 */
function misfireMarks(view: JobView, me: Member, shards: readonly number[]): TransactionPart[][] {
  return shards
    .filter((shard) => view.shards.get(shard)?.misfire === true)
    .map((shard) => [part.delete(me.paths.mark(shard, 'misfire'))])
}

function byTurns(view: JobView, { total, strategy }: MixedContext): boolean {
  return goesByTurns(view, { total, strategy: strategy.type })
}

/** A Java leader that was deposed in the middle leaves its flag, and everybody waits for its end. */
function clearFlag(view: JobView, me: Member): ReshardingDecision {
  if (!view.processing) return { do: 'nothing' }
  return {
    do: 'flag',
    operations: [...leaderChecks(view, me), part.delete(me.paths.processing)],
  }
}

/** Where the period allows it, the flag does not go up right after a fire. */
function raiseFlag(view: JobView, me: Member, context: MixedContext): ReshardingDecision {
  const { now, lastFire, nextFire } = context
  const until = (lastFire ?? 0) + afterFire
  const period = lastFire === undefined || nextFire === undefined ? Infinity : nextFire - lastFire
  if (now < until && period > 2 * afterFire) return { do: 'wait', until }
  return putFlagUp(view, me)
}

function putFlagUp(view: JobView, me: Member): ReshardingDecision {
  return {
    do: 'flag',
    operations: [...leaderChecks(view, me), part.create(me.paths.necessary)],
  }
}
