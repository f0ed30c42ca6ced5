/**
 * A fire is a state, not an event: a fire time is due for a shard until an instance claims it, or until it is too old.
 * This one rule covers shards that move around a fire time, refused claims, misfires and the return after a short
 * outage.
 */
import type { ShardState } from '../job-tree/shard-state.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import type { CatchUp } from '../config/run-limits.ts'
import { timeToCatchUp } from './catch-up.ts'

/** The fire times of a job. */
export interface FireTimes {
  /** The first one after a moment; undefined if there is none. */
  nextAfter(time: number): number | undefined
  /** The last one in (notBefore, time]; undefined if there is none. */
  latestAtOrBefore(time: number, notBefore: number): number | undefined
}

/** Why a shard is due, and the key of the run. */
export type Due =
  | { readonly source: 'cron' | 'misfire'; readonly fireTime: number }
  | { readonly source: 'trigger'; readonly round: ManualRun }
  /** The unfinished run of a crashed instance: the same fire time, or the same manual run. */
  | {
      readonly source: 'failover'
      readonly fireTime: number
      readonly round: ManualRun | undefined
    }

/** The fire time of a run; for a manual run, the time of its request. */
export function timeOf(due: Due): number {
  return due.source === 'trigger' ? due.round.asked : due.fireTime
}

/** The manual run that a run belongs to. */
export function manualRunOf(due: Due): ManualRun | undefined {
  return due.source === 'trigger' || due.source === 'failover' ? due.round : undefined
}

/** The inputs that all shards of a job share at one moment. */
export interface DueContext {
  readonly now: number
  readonly fires: FireTimes | undefined
  /** The last fire time within the window; undefined if there is none. */
  readonly latest: number | undefined
  /** The start of the window: no misfire run follows a run that ended before it. */
  readonly oldest: number
  readonly misfire: boolean
  readonly catchUp: CatchUp
  /** Cron fires are off on this server. */
  readonly paused: boolean
  /** No fire time up to this moment is due for any shard, because the schedule changed or a pause was lifted. */
  readonly since: number
  readonly round: ManualRun | undefined
}

/**
 * A stored time further ahead than this comes from a wrong clock: it must not keep the shard from running until then.
 */
const tolerance = 5000

/** The window: a fire time that no instance could run within it is missed. */
export function windowOf(sessionTimeout: number): number {
  return sessionTimeout + 10_000
}

/** Whether a shard state accounts for future fire times. */
export function isAheadOfClock(shardState: ShardState, now: number): boolean {
  return accountedUntil(shardState) > now + tolerance
}

/**
 * Adapts the shard state to a clock that was set back. The new clock cannot tell which earlier fire times ran, so all
 * of them count as accounted for. The next fire time runs, even if it already ran by the former clock.
 */
export function correctedState(shardState: ShardState, now: number): ShardState {
  const { fireTime, begin, end, since } = shardState
  return {
    ...shardState,
    fireTime: Math.min(fireTime, now),
    begin: Math.min(begin, now),
    end: Math.min(end, now),
    since: since === undefined ? undefined : Math.min(since, now),
  }
}

/** Up to this moment all fire times of the shard are accounted for. */
export function accountedUntil({ fireTime, since }: ShardState): number {
  return Math.max(fireTime, since ?? 0)
}

/** `since`: when the shard was created or enabled again. */
export function dueOf(
  shardState: ShardState,
  shard: number,
  owner: string,
  since: number,
  context: DueContext,
): Due | undefined {
  const fire = fireOf(shardState, since, context)
  // After the manual run a cron fire might be too old to run. Fire times under catch-up do not get too old, and could
  // delay the manual run forever.
  if (fire?.source === 'cron' && context.catchUp.policy === 'skip') return fire
  const { round: manualRun } = context
  if (
    manualRun !== undefined &&
    shardState.round < manualRun.id &&
    isTarget(manualRun, shard, owner)
  ) {
    return { source: 'trigger', round: manualRun }
  }
  return fire
}

/** The fire time to run now. */
function fireOf(shardState: ShardState, since: number, context: DueContext): Due | undefined {
  if (context.paused || context.fires === undefined) return undefined
  const after = dueAfter(shardState, since, context)
  const end = endOf(shardState, context.now)
  const { latest, misfire, oldest, catchUp, fires } = context
  if (catchUp.policy !== 'skip') {
    const time = timeToCatchUp(catchUp, fires, after, context.now)
    // With `all`, each fire time in order; with `once`, one run for all fire times older than the window. A fire time
    // that passed during a run is a misfire, for which the rule below applies.
    const isOwed = time !== undefined && (time <= shardState.begin || time > end)
    if (isOwed && (catchUp.policy === 'all' || time <= oldest)) {
      return { source: time <= oldest ? 'misfire' : 'cron', fireTime: time }
    }
  }
  if (latest !== undefined && latest > after) {
    const passedMeanwhile = latest > shardState.begin && latest <= end
    if (!passedMeanwhile) return { source: 'cron', fireTime: latest }
    // With misfire off, a fire time that passed during a run is dropped, whichever instance ran it.
    return misfire ? { source: 'misfire', fireTime: latest } : undefined
  }
  if (!misfire || end <= Math.max(after, oldest)) return undefined
  const missed = fires.latestAtOrBefore(end, Math.max(after, shardState.begin))
  return missed === undefined ? undefined : { source: 'misfire', fireTime: missed }
}

/** No fire time up to this moment is due: it is accounted for, or precedes the shard or the schedule. */
function dueAfter(shardState: ShardState, since: number, context: DueContext): number {
  return Math.max(accountedUntil(shardState), since, context.since)
}

/** When the last run ended; 0 if a wrong clock measured it. */
export function endOf({ end }: ShardState, now: number): number {
  return end > now + tolerance ? 0 : Math.min(end, now)
}

export function isTarget({ instances, shards }: ManualRun, shard: number, owner: string): boolean {
  return (
    (instances === undefined || instances.includes(owner)) &&
    (shards === undefined || shards.includes(shard))
  )
}
