/**
 * Java writes no shard states for its runs. When a shard leaves Java, the leader stamps its state with the last fire
 * time that Java must have run. So the new owner neither repeats that fire time nor loses those for which Java's
 * triggers waited.
 */
import type { FireTimes } from '../fire-times/due.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { encodeShardState, type ShardState, neverRun } from '../job-tree/shard-state.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import type { JobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { ownerOf } from './needs.ts'

/** A state as it was read; undefined for a shard without one. */
export type KnownState = Versioned<ShardState> | 'unreadable' | undefined
export type KnownStates = ReadonlyMap<number, KnownState>

export interface StampContext {
  readonly fires: FireTimes | undefined
  /** Fire times older than this are due for no instance, in milliseconds. */
  readonly window: number
}

/** The shards that an assignment moves from Java to native instances. */
export function leavingJava(view: JobView, owners: readonly string[]): number[] {
  const shards: number[] = []
  for (const [shard, to] of owners.entries()) {
    const from = ownerOf(view, shard)
    if (from !== undefined && isJavaInstance(from) && !isJavaInstance(to)) shards.push(shard)
  }
  return shards
}

/**
 * Returns no parts if the state already covers the fire time. The same holds while the shard runs on a living native
 * instance: Java deletes marks of other instances, but the end of the run is committed at the version of its claim, and
 * records more.
 */
export function planStamp(
  view: JobView,
  me: Member,
  shard: number,
  known: KnownState,
  context: StampContext,
): TransactionPart[] {
  // The repair of the state decides what is due; until then the shard does not run.
  if (known === 'unreadable') return []
  const before = known?.value ?? neverRun
  if (before.state === 'running' && !isDead(view, before.instance)) return []
  const until = ranUntil(view, shard)
  const fireTime = context.fires?.latestAtOrBefore(until - 1, until - context.window) ?? 0
  const manualRun = lastManualRunBefore(view.jobState?.value, until)
  const ran = Math.max(before.fireTime, before.since ?? 0)
  if (fireTime <= ran && manualRun <= before.round) return []
  const shardState = stamped(before, Math.max(fireTime, ran), Math.max(manualRun, before.round))
  const path = me.paths.shardState(shard)
  return known === undefined
    ? [part.create(path, encodeShardState(shardState))]
    : [part.set(path, encodeShardState(shardState), known.version)]
}

/**
 * A crashed run keeps its fire time and manual run, which failover still has to run, whether or not an instance has
 * already handed it over.
 */
function stamped(before: ShardState, fireTime: number, manualRun: number): ShardState {
  const isCrashed = before.state === 'crashed' || before.state === 'running'
  if (!isCrashed) return { ...before, fireTime, round: manualRun }
  return {
    ...before,
    since: fireTime,
    round: before.source === 'trigger' ? before.round : manualRun,
  }
}

/** Java runs a shard until the flag goes up, or until the instance dies. */
function ranUntil(view: JobView, shard: number): number {
  const raised = view.necessary?.ctime ?? 0
  const owner = ownerOf(view, shard)
  const gone = owner === undefined ? undefined : view.absences.get(owner)?.since
  return Math.min(raised, gone ?? Infinity)
}

/** The transaction that requests a manual run also creates Java's own triggers, so Java has run the earlier ones. */
function lastManualRunBefore(jobState: JobState | undefined, time: number): number {
  const rounds = [jobState?.previous, jobState?.running, jobState?.pending]
  const asked = rounds.filter((manualRun) => manualRun !== undefined && manualRun.asked < time)
  return Math.max(0, ...asked.map((manualRun) => manualRun?.id ?? 0))
}
