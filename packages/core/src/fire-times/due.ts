/**
 * A fire is a state, not an event: a scheduled time is due for a shard until somebody has claimed it, or until it is
 * too old. This one rule covers moves around a fire, refused claims, misfires and the return after a short outage.
 */
import type { ShardState } from '../job-tree/shard-state.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import type { CatchUp } from '../config/run-limits.ts'
import { timeToCatchUp } from './catch-up.ts'

/** The scheduled times of a job. */
export interface FireTimes {
  /** The first one after a moment; undefined if there is none. */
  nextAfter(time: number): number | undefined
  /** The last one in (notBefore, time]; undefined if there is none. */
  latestAtOrBefore(time: number, notBefore: number): number | undefined
}

/** Why a shard is to run, and which key the run carries. */
export type Due =
  | { readonly source: 'cron' | 'misfire'; readonly fireTime: number }
  | { readonly source: 'trigger'; readonly round: ManualRun }
  /** What a crashed instance has left: the same time, or the same manual run. */
  | {
      readonly source: 'failover'
      readonly fireTime: number
      readonly round: ManualRun | undefined
    }

/** The scheduled time of a run; for one of a manual run, when it was asked for. */
export function timeOf(due: Due): number {
  return due.source === 'trigger' ? due.round.asked : due.fireTime
}

/** The manual run that a run belongs to. */
export function manualRunOf(due: Due): ManualRun | undefined {
  return due.source === 'trigger' || due.source === 'failover' ? due.round : undefined
}

/** What holds for all shards of a job at one moment. */
export interface DueContext {
  readonly now: number
  readonly fires: FireTimes | undefined
  /** The last scheduled time within the window; undefined if there is none. */
  readonly latest: number | undefined
  /** Where the window begins: what a run that ended before that has missed is missed for good. */
  readonly oldest: number
  readonly misfire: boolean
  readonly catchUp: CatchUp
  /** Cron fires are off here. */
  readonly paused: boolean
  /** Nothing that was scheduled until then is due, of no shard: the schedule was changed, a pause lifted. */
  readonly since: number
  readonly round: ManualRun | undefined
}

/** A stored time that is further ahead is from a clock that was wrong: it must not silence the shard until then. */
const tolerance = 5000

/** Beyond the window what nobody could run has passed. */
export function windowOf(sessionTimeout: number): number {
  return sessionTimeout + 10_000
}

/** Whether a shard state accounts for fire times that are still to come. */
export function isAheadOfClock(shardState: ShardState, now: number): boolean {
  return accountedUntil(shardState) > now + tolerance
}

/**
 * The shard state by a clock that was set back. Which earlier fire times ran is known no better by the new clock, so
 * all of them count as accounted for; the next one runs, also if it ran by the clock before.
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

/** Up to this time every fire time of the shard is accounted for. */
export function accountedUntil({ fireTime, since }: ShardState): number {
  return Math.max(fireTime, since ?? 0)
}

/** `since`: when the shard came into being or was switched on again. */
export function dueOf(
  shardState: ShardState,
  shard: number,
  owner: string,
  since: number,
  context: DueContext,
): Due | undefined {
  const fire = fireOf(shardState, since, context)
  // Behind the manual run it might be too old to be run; what is made up for is not, and could go on for ever.
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

/** The scheduled time that is to be run now. */
function fireOf(shardState: ShardState, since: number, context: DueContext): Due | undefined {
  if (context.paused || context.fires === undefined) return undefined
  const after = dueAfter(shardState, since, context)
  const end = endOf(shardState, context.now)
  const { latest, misfire, oldest, catchUp, fires } = context
  if (catchUp.policy !== 'skip') {
    const time = timeToCatchUp(catchUp, fires, after, context.now)
    // Each in its turn, or the one that stands for all that are older than the window; what came while the shard ran is
    // a misfire, with the rule below.
    const isOwed = time !== undefined && (time <= shardState.begin || time > end)
    if (isOwed && (catchUp.policy === 'all' || time <= oldest)) {
      return { source: time <= oldest ? 'misfire' : 'cron', fireTime: time }
    }
  }
  if (latest !== undefined && latest > after) {
    const passedMeanwhile = latest > shardState.begin && latest <= end
    if (!passedMeanwhile) return { source: 'cron', fireTime: latest }
    // With misfire off, what came while it ran is dropped, whoever ran it.
    return misfire ? { source: 'misfire', fireTime: latest } : undefined
  }
  if (!misfire || end <= Math.max(after, oldest)) return undefined
  const missed = fires.latestAtOrBefore(end, Math.max(after, shardState.begin))
  return missed === undefined ? undefined : { source: 'misfire', fireTime: missed }
}

/** No time up to this one is due: it was run, or lies before all that could be. */
function dueAfter(shardState: ShardState, since: number, context: DueContext): number {
  return Math.max(accountedUntil(shardState), since, context.since)
}

/** When the last run ended; 0 if it was measured by a wrong clock. */
export function endOf({ end }: ShardState, now: number): number {
  return end > now + tolerance ? 0 : Math.min(end, now)
}

export function isTarget({ instances, shards }: ManualRun, shard: number, owner: string): boolean {
  return (
    (instances === undefined || instances.includes(owner)) &&
    (shards === undefined || shards.includes(shard))
  )
}
