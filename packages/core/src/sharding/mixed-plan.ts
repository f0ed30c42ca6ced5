/**
 * Resharding in mixed mode, with the same barrier as Java. The leader raises the flag `necessary`. While the flag is
 * up, native instances start no runs and Java's triggers wait. The leader assigns the shards and clears the flag when
 * no shard that moves, and no shard of a Java instance, is running.
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

/**
 * A Java trigger that finds the flag up blocks and does not run the shards that moved: do not raise it right after a
 * fire.
 */
const afterFire = 2000
/** A Java instance reads the flag, then the assignment, then starts. The leader waits this long for it to finish. */
const settle = 2000
/** With an absent owner the flag goes up this long before a fire, because the clocks of Java's hosts may be ahead. */
const beforeFire = 1000

export interface MixedContext extends ReshardingContext, StampContext {
  /** The last fire time of the job; undefined if it never fired. */
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
  // If no shard moves, no run is in the way.
  if (staysAsItIs(view, resharded)) return commit(view, me, need.reason, resharded)
  // Without Java instances no instance can have read the flag just before it went up.
  const until = view.necessary.ctime + (isJavaThere(view) ? settle : 0)
  if (context.now < until) return { do: 'wait', until }
  for (const [shard, nodes] of view.shards) {
    // The end of the run is an event, which triggers the next step.
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
  // After a resharding the owner runs the shard, for Java and native instances alike: delete the turn.
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
 * A Java instance whose node is absent either returns shortly or counts as dead within seconds; both events trigger the
 * next step. If it got shards and turned out to be dead, they would need a second barrier, and fire times between the
 * two would not run. Under the flag Java's triggers wait, and run those fire times afterwards.
 */
function isSomebodyAway(view: JobView): boolean {
  return [...view.absences.values()].some(({ isFinal }) => !isFinal)
}

/** Whether a Java instance with an absent node owns a shard. */
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
 * At a fire time a Java instance runs the shards that it owns at that moment, and no earlier fire times. A shard whose
 * owner turns out to be dead after the fire time, and that then moves to Java, misses the fire time. So the leader
 * holds the fire back with the flag until the owner returns or counts as dead. Native instances do not need this: they
 * run fire times from before they owned the shard.
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

/** Whether the flag went up without need, for example because an absent instance has returned. */
function staysAsItIs(view: JobView, { owners, assignment }: Resharding): boolean {
  if (assignment.digest !== view.assignment?.value.digest || assignment.moving.size > 0)
    return false
  if (view.shards.size !== owners.length) return false
  return owners.every((owner, shard) => owner === view.shards.get(shard)?.owner?.instance)
}

/** A run of a shard that moves, or a run on Java, has to end first. The mark of a dead instance is not a run. */
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
  // By turns, the last run may have been on Java, whichever instance owns the shard.
  if (byTurns(view, context)) return owners[0] === undefined || isJavaInstance(owners[0]) ? [] : [0]
  return leavingJava(view, owners)
}

/**
 * At the end of a run Java checks the flag, then the misfire mark of the shard, and runs the shard again if it finds
 * the mark, even if the shard was assigned to another instance in between. Deleting the mark prevents that; native
 * instances detect a misfire by the shard state.
 */
function misfireMarks(view: JobView, me: Member, shards: readonly number[]): TransactionPart[][] {
  return shards
    .filter((shard) => view.shards.get(shard)?.misfire === true)
    .map((shard) => [part.delete(me.paths.mark(shard, 'misfire'))])
}

function byTurns(view: JobView, { total, strategy }: MixedContext): boolean {
  return goesByTurns(view, { total, strategy: strategy.type })
}

/**
 * A Java leader that was deposed during a resharding leaves its flag `processing`, and all Java instances wait for it.
 */
function clearFlag(view: JobView, me: Member): ReshardingDecision {
  if (!view.processing) return { do: 'nothing' }
  return {
    do: 'flag',
    operations: [...leaderChecks(view, me), part.delete(me.paths.processing)],
  }
}

/** Does not raise the flag right after a fire, if the period of the schedule allows waiting. */
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
