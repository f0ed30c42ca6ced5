/** What the job's state remembers of its schedules, so that no change of them makes fire times be forgotten. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { shortHash } from '../short-hash.ts'
import type { JobState, OffPeriod, ScheduleSpan } from './job-state.ts'

/** A schedule and a shard count without their beginning. */
export type Timing = Omit<ScheduleSpan, 'from'>

/** Stands for what the scheduled times come from. */
export function scheduleDigest({
  cron,
  timeZone,
}: Pick<JobConfiguration, 'cron' | 'timeZone'>): string {
  return shortHash(`${cron ?? ''}\n${timeZone ?? ''}`)
}

/** What a job's state keeps of its schedule and its shard count. */
export function timingOf({
  cron,
  timeZone,
  shardingTotalCount: total,
}: Pick<JobConfiguration, 'cron' | 'timeZone' | 'shardingTotalCount'>): Timing {
  return {
    ...(cron === undefined ? {} : { cron }),
    ...(timeZone === undefined ? {} : { timeZone }),
    total,
  }
}

/** So many spans are kept at most; they are forgotten as soon as all shards are accounted for. */
const longest = 20

/** `changed`: when the configuration was last changed, which may not have been noted yet. */
export function timelineOf(
  { timeline = [], schedule }: JobState,
  timing: Timing,
  changed: number,
  isScheduleNoted: boolean,
): readonly ScheduleSpan[] {
  const last = timeline.at(-1)
  if (last !== undefined && isSameTiming(last, timing)) return timeline
  // A state without a timeline says since when its schedule holds, and nothing of what was before it.
  const from = last === undefined && isScheduleNoted ? (schedule?.since ?? changed) : changed
  return [...timeline, { from, ...timing }].slice(-longest)
}

/**
 * The timeline of a job whose configuration is about to be replaced: what was stored until now is in it, also if no
 * leader has noted it since it was stored at `changed`.
 */
export function timelineWithStored(
  jobState: JobState,
  stored: Pick<JobConfiguration, 'cron' | 'timeZone' | 'shardingTotalCount'>,
  changed: number,
): readonly ScheduleSpan[] {
  const isNoted = jobState.schedule?.digest === scheduleDigest(stored)
  return timelineOf(jobState, timingOf(stored), changed, isNoted)
}

function isSameTiming(one: Timing, other: Timing): boolean {
  return one.cron === other.cron && one.timeZone === other.timeZone && one.total === other.total
}

/**
 * The registry has forgotten what was run until a moment: no fire time up to it is due, and none is reported, because
 * nobody can say that it did not run.
 */
export function countingFrom(jobState: JobState, moment: number): JobState {
  const { schedule, timeline } = jobState
  const left = timeline
    ?.filter((_, index) => (timeline[index + 1]?.from ?? Infinity) > moment)
    .map((span) => ({ ...span, from: Math.max(span.from, moment) }))
  return {
    ...jobState,
    ...(schedule === undefined
      ? {}
      : { schedule: { ...schedule, since: Math.max(schedule.since, moment) } }),
    ...(left === undefined ? {} : { timeline: left }),
  }
}

/** Nothing fires from then on, for one more reason. */
export function switchedOff(
  { off = [] }: JobState,
  why: OffPeriod['why'],
  from: number,
  server?: string,
): readonly OffPeriod[] {
  if (off.some((one) => isOpen(one, why, server))) return off
  return [...off, server === undefined ? { why, from } : { why, from, server }]
}

/** What was off for that reason is on again. */
export function switchedOn(
  { off }: JobState,
  why: OffPeriod['why'],
  to: number,
  server?: string,
): readonly OffPeriod[] | undefined {
  return off?.map((one) => (isOpen(one, why, server) ? { ...one, to } : one))
}

/** Whether the state says that the job is disabled on all servers. */
export function isDisabledEverywhere({ disabled = false, off = [] }: JobState): boolean {
  return disabled || off.some((one) => isOpen(one, 'disabled', undefined))
}

function isOpen(period: OffPeriod, why: OffPeriod['why'], server: string | undefined): boolean {
  return period.why === why && period.to === undefined && period.server === server
}

/** All periods in which nothing was to fire; of those that were not noted it is not known when they began. */
export function offPeriodsOf(jobState: JobState): readonly OffPeriod[] {
  const { off = [], paused, pausedServers = [], resumed, resumedServers = {} } = jobState
  const unknown: OffPeriod[] = []
  const why = 'paused'
  const isNoted = (to: number | undefined, server?: string): boolean =>
    off.some((one) => one.server === server && one.to === to)
  if (paused === true && !isNoted(undefined)) unknown.push({ why, from: 0 })
  if (resumed !== undefined && !isNoted(resumed)) unknown.push({ why, from: 0, to: resumed })
  for (const server of pausedServers) {
    if (!isNoted(undefined, server)) unknown.push({ why, from: 0, server })
  }
  for (const [server, to] of Object.entries(resumedServers)) {
    if (!isNoted(to, server)) unknown.push({ why, from: 0, to, server })
  }
  return [...unknown, ...off]
}

/** When the last change was that shards may still have to be accounted for; 0 for none. */
export function lastChangeOf({ timeline = [], off = [] }: JobState): number {
  const changes = timeline.slice(1).map(({ from }) => from)
  return Math.max(0, ...changes, ...off.map(({ to = 0 }) => to))
}

/** The state without what all shards are accounted for. */
export function forgotten(jobState: JobState): Pick<JobState, 'timeline' | 'off'> | undefined {
  const { timeline = [], off = [] } = jobState
  const open = off.filter(({ to }) => to === undefined)
  if (timeline.length <= 1 && open.length === off.length) return undefined
  return { timeline: timeline.slice(-1), off: open }
}
