/** The record of schedules in the job state: a change of the schedule loses no fire times. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { shortHash } from '../short-hash.ts'
import type { JobState, OffPeriod, ScheduleSpan } from './job-state.ts'

/** A schedule and a shard count without their start. */
export type Timing = Omit<ScheduleSpan, 'from'>

/** Identifies the schedule that the fire times come from. */
export function scheduleDigest({
  cron,
  timeZone,
}: Pick<JobConfiguration, 'cron' | 'timeZone'>): string {
  return shortHash(`${cron ?? ''}\n${timeZone ?? ''}`)
}

/** The schedule and shard count as the job state records them. */
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

/** The maximum number of spans; former spans are dropped as soon as all shards are accounted for. */
const longest = 20

/** `changed`: when the configuration last changed, which may not be recorded yet. */
export function timelineOf(
  { timeline = [], schedule }: JobState,
  timing: Timing,
  changed: number,
  isScheduleNoted: boolean,
): readonly ScheduleSpan[] {
  const last = timeline.at(-1)
  if (last !== undefined && isSameTiming(last, timing)) return timeline
  // A state without a timeline records when its schedule took effect, but no earlier schedules.
  const from = last === undefined && isScheduleNoted ? (schedule?.since ?? changed) : changed
  return [...timeline, { from, ...timing }].slice(-longest)
}

/**
 * The timeline of a job whose configuration is about to be replaced. It includes the stored configuration, even if no
 * leader has recorded it since its change at `changed`.
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
 * The registry has lost the record of runs up to a moment. No fire time up to it is due or reported, because it may
 * have run.
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

/** Opens an off period for this reason, unless one is open. */
export function switchedOff(
  { off = [] }: JobState,
  why: OffPeriod['why'],
  from: number,
  server?: string,
): readonly OffPeriod[] {
  if (off.some((one) => isOpen(one, why, server))) return off
  return [...off, server === undefined ? { why, from } : { why, from, server }]
}

/** Closes the off period for this reason. */
export function switchedOn(
  { off }: JobState,
  why: OffPeriod['why'],
  to: number,
  server?: string,
): readonly OffPeriod[] | undefined {
  return off?.map((one) => (isOpen(one, why, server) ? { ...one, to } : one))
}

/** Whether the job is disabled on all servers, according to its state. */
export function isDisabledEverywhere({ disabled = false, off = [] }: JobState): boolean {
  return disabled || off.some((one) => isOpen(one, 'disabled', undefined))
}

function isOpen(period: OffPeriod, why: OffPeriod['why'], server: string | undefined): boolean {
  return period.why === why && period.to === undefined && period.server === server
}

/** All off periods; a period whose start is not recorded begins at 0. */
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

/** When the last change happened that the account of a shard may still need; 0 for none. */
export function lastChangeOf({ timeline = [], off = [] }: JobState): number {
  const changes = timeline.slice(1).map(({ from }) => from)
  return Math.max(0, ...changes, ...off.map(({ to = 0 }) => to))
}

/**
 * The timeline and off periods without those that every shard is accounted for; undefined if there are none to drop.
 */
export function forgotten(jobState: JobState): Pick<JobState, 'timeline' | 'off'> | undefined {
  const { timeline = [], off = [] } = jobState
  const open = off.filter(({ to }) => to === undefined)
  if (timeline.length <= 1 && open.length === off.length) return undefined
  return { timeline: timeline.slice(-1), off: open }
}
