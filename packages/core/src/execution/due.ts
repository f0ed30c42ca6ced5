/**
 * A fire is a state, not an event: a scheduled time is due for an item until somebody has claimed it, or
 * until it is too old. This one rule covers moves around a fire, refused claims, misfires and the
 * return after a short outage.
 */
import type { ItemWord } from '../job-tree/item-word.ts'
import type { Round } from '../job-tree/job-word.ts'
import type { CatchUp } from '../config/run-limits.ts'
import { timeToCatchUp } from './catch-up.ts'

/** The scheduled times of a job. */
export interface FireTimes {
  /** The first one after a moment; undefined if there is none. */
  nextAfter(time: number): number | undefined
  /** The last one in (notBefore, time]; undefined if there is none. */
  latestAtOrBefore(time: number, notBefore: number): number | undefined
}

/** Why an item is to run, and which key the run carries. */
export type Due =
  | { readonly source: 'cron' | 'misfire'; readonly fireTime: number }
  | { readonly source: 'trigger'; readonly round: Round }
  /** What a crashed instance has left: the same time, or the same round. */
  | { readonly source: 'failover'; readonly fireTime: number; readonly round: Round | undefined }

/** The scheduled time of a run; for one of a round, when it was asked for. */
export function timeOf(due: Due): number {
  return due.source === 'trigger' ? due.round.asked : due.fireTime
}

/** The round that a run belongs to. */
export function roundOf(due: Due): Round | undefined {
  return due.source === 'trigger' || due.source === 'failover' ? due.round : undefined
}

/** What holds for all items of a job at one moment. */
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
  /** Nothing that was scheduled until then is due, of no item: the schedule was changed, a pause lifted. */
  readonly since: number
  readonly round: Round | undefined
}

/** A stored time beyond this is from a clock that was wrong: it must not silence the item until then. */
const tolerance = 5000

/** Beyond the window what nobody could run has passed. */
export function windowOf(sessionTimeout: number): number {
  return sessionTimeout + 10_000
}

/** Whether the time that an item's word carries is one that cannot have been. */
export function isFromTheFuture(word: ItemWord, now: number): boolean {
  return word.fireTime > now + tolerance
}

/** `since`: when the item came into being or was switched on again. */
export function dueOf(
  word: ItemWord,
  item: number,
  owner: string,
  since: number,
  context: DueContext,
): Due | undefined {
  const fire = fireOf(word, since, context)
  // Behind the round it might be too old to be run; what is made up for is not, and could go on for ever.
  if (fire?.source === 'cron' && context.catchUp.policy === 'skip') return fire
  const { round } = context
  if (round !== undefined && word.round < round.id && isTarget(round, item, owner)) {
    return { source: 'trigger', round }
  }
  return fire
}

/** The scheduled time that is to be run now. */
function fireOf(word: ItemWord, since: number, context: DueContext): Due | undefined {
  if (context.paused || context.fires === undefined) return undefined
  const after = dueAfter(word, since, context)
  const end = endOf(word, context.now)
  const { latest, misfire, oldest, catchUp, fires } = context
  if (catchUp.policy !== 'skip') {
    const time = timeToCatchUp(catchUp, fires, after, context.now)
    // Each in its turn, or the one that stands for all that are older than the window; what came while
    // the item ran is a misfire, with the rule below.
    const isOwed = time !== undefined && (time <= word.begin || time > end)
    if (isOwed && (catchUp.policy === 'all' || time <= oldest)) {
      return { source: time <= oldest ? 'misfire' : 'cron', fireTime: time }
    }
  }
  if (latest !== undefined && latest > after) {
    const passedMeanwhile = latest > word.begin && latest <= end
    if (!passedMeanwhile) return { source: 'cron', fireTime: latest }
    // With misfire off, what came while it ran is dropped, whoever ran it.
    return misfire ? { source: 'misfire', fireTime: latest } : undefined
  }
  if (!misfire || end <= Math.max(after, oldest)) return undefined
  const missed = fires.latestAtOrBefore(end, Math.max(after, word.begin))
  return missed === undefined ? undefined : { source: 'misfire', fireTime: missed }
}

/** No time up to this one is due: it was run, or lies before all that could be. */
export function dueAfter(word: ItemWord, since: number, context: DueContext): number {
  const known = isFromTheFuture(word, context.now) ? 0 : word.fireTime
  return Math.max(known, since, word.since ?? 0, context.since)
}

/** When the last run ended; 0 where the clock that said so was wrong. */
function endOf({ end }: ItemWord, now: number): number {
  return end > now + tolerance ? 0 : Math.min(end, now)
}

export function isTarget({ instances, items }: Round, item: number, owner: string): boolean {
  return (
    (instances === undefined || instances.includes(owner)) &&
    (items === undefined || items.includes(item))
  )
}
