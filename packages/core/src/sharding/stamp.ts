/**
 * Java writes no shard states for its runs. A shard that comes from Java gets the last time that its old owner must
 * have run, so that the new one neither repeats it nor loses those that Java slept through.
 */
import type { FireTimes } from '../fire-times/due.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { encodeShardState, type ShardState, neverRun } from '../job-tree/shard-state.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import type { JobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { ownerOf } from './needs.ts'

/** A state as it was read; undefined for a shard that has none. */
export type KnownState = Versioned<ShardState> | 'unreadable' | undefined
export type KnownStates = ReadonlyMap<number, KnownState>

export interface StampContext {
  readonly fires: FireTimes | undefined
  /** What is older than this is due for nobody, in milliseconds. */
  readonly window: number
}

/** The shards that an assignment takes from Java, to give them to instances of ours. */
export function leavingJava(view: JobView, owners: readonly string[]): number[] {
  const shards: number[] = []
  for (const [shard, to] of owners.entries()) {
    const from = ownerOf(view, shard)
    if (from !== undefined && isJavaInstance(from) && !isJavaInstance(to)) shards.push(shard)
  }
  return shards
}

/**
 * Nothing if the state says as much already. Nor if it runs on an instance of ours that lives: Java takes away marks
 * that are not its own, but the end of the run is written at the version of its claim, and says more.
 */
export function planStamp(
  view: JobView,
  me: Member,
  shard: number,
  known: KnownState,
  context: StampContext,
): TransactionPart[] {
  // Whoever repairs it decides what is due; until then the shard does not run.
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
 * A crashed run, whether somebody has turned it over or not, keeps the time and the manual run that are to be made
 * good.
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

/** Java runs a shard until the flag goes up, or until it dies. */
function ranUntil(view: JobView, shard: number): number {
  const raised = view.necessary?.ctime ?? 0
  const owner = ownerOf(view, shard)
  const gone = owner === undefined ? undefined : view.absences.get(owner)?.since
  return Math.min(raised, gone ?? Infinity)
}

/** Java was asked for manual runs by its own triggers, in the transaction that asked us. */
function lastManualRunBefore(jobState: JobState | undefined, time: number): number {
  const rounds = [jobState?.previous, jobState?.running, jobState?.pending]
  const asked = rounds.filter((manualRun) => manualRun !== undefined && manualRun.asked < time)
  return Math.max(0, ...asked.map((manualRun) => manualRun?.id ?? 0))
}
