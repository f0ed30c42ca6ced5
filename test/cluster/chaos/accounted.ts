/**
 * What becomes of every scheduled time of every item: it ran, or it came while the item was running (then
 * the misfire rule has it), or somebody told that it was missed. Nothing is silently gone.
 */
import { byItem, type Facts, itemKey, type Run, type ToldEvent, type Violation } from './facts.ts'

/** A job, and when its items are to run. Times are in milliseconds since 1970. */
export interface ExpectedJob {
  readonly job: string
  /** For each item, when it came into being: nothing before is due. */
  readonly since: readonly number[]
  /** Undefined for one that is only triggered. */
  readonly period: number | undefined
}

export interface AccountOptions {
  readonly jobs: readonly ExpectedJob[]
  /** Nothing was disturbed any more from here on: every time runs. */
  readonly calmFrom: number
  /** No time after this is looked at. */
  readonly until: number
}

export interface Account {
  readonly violations: readonly Violation[]
  /** How many times of items ran, came while the item ran, were told to be missed, or ended with their claim. */
  readonly counts: Readonly<Record<Fate, number>>
}

type Fate = 'ran' | 'misfired' | 'missed' | 'claimed and cut off' | 'gone'

export function accountOf(facts: Facts, options: AccountOptions): Account {
  const runs = byItem(facts.runs)
  const reports = reportsOf(facts.events)
  const counts = { ran: 0, misfired: 0, missed: 0, 'claimed and cut off': 0, gone: 0 }
  const violations: Violation[] = []
  for (const { job, since, period } of options.jobs) {
    if (period === undefined) continue
    for (const [item, from] of since.entries()) {
      const key = itemKey({ job, item })
      const lane = runs.get(key) ?? []
      for (const time of timesIn(from, options.until, period)) {
        const fate = fateOf(time, lane, reports.get(key) ?? noReports)
        counts[fate] += 1
        const isCalm = time >= options.calmFrom
        if (fate === 'gone') {
          violations.push({ rule: 'gone', text: `${key} at ${time} neither ran nor was missed` })
        } else if (isCalm && fate !== 'ran' && fate !== 'misfired') {
          const text = `${key} did not run at ${time}, when nothing was disturbed any more`
          violations.push({ rule: 'silent', text })
        }
      }
    }
  }
  return { violations: [...violations, ...lostRounds(facts, options)], counts }
}

/** Every item runs in every round that was accepted. */
function lostRounds({ runs, asked }: Facts, { jobs }: AccountOptions): Violation[] {
  const ran = new Set(runs.map((run) => `${itemKey(run)} ${run.fireTime}`))
  const found: Violation[] = []
  for (const { job, fireTime } of asked) {
    const items = jobs.find((one) => one.job === job)?.since.length ?? 0
    for (let item = 0; item < items; item++) {
      if (ran.has(`${itemKey({ job, item })} ${fireTime}`)) continue
      found.push({ rule: 'round', text: `${job}/${item} did not run in the round of ${fireTime}` })
    }
  }
  return found
}

/** What was told about the times of one item. */
interface Reports {
  /** Times that passed without a run. */
  readonly missed: { readonly first: number; readonly last: number }[]
  /** Times that were claimed by somebody who died. */
  readonly crashed: number[]
}

function reportsOf(events: readonly ToldEvent[]): Map<string, Reports> {
  const reports = new Map<string, Reports>()
  for (const { event, payload } of events) {
    if (!['fire:missed', 'run:crashed', 'run:abandoned'].includes(event)) continue
    const { jobName, shardingItem, first, fireTime } = payload as {
      jobName: string
      shardingItem: number
      first?: number
      fireTime: number
    }
    const key = itemKey({ job: jobName, item: shardingItem })
    const { missed, crashed } = reports.get(key) ?? { missed: [], crashed: [] }
    if (event !== 'fire:missed') crashed.push(fireTime)
    if (event !== 'run:crashed') missed.push({ first: first ?? fireTime, last: fireTime })
    reports.set(key, { missed, crashed })
  }
  return reports
}

const noReports: Reports = { missed: [], crashed: [] }

function fateOf(time: number, lane: readonly Run[], { missed, crashed }: Reports): Fate {
  if (lane.some(({ fireTime }) => fireTime === time)) return 'ran'
  if (lane.some((run) => passedMeanwhile(time, run))) return 'misfired'
  if (missed.some(({ first, last }) => first <= time && time <= last)) return 'missed'
  return isCutOff(time, lane, crashed) ? 'claimed and cut off' : 'gone'
}

/** From the claim on, and until the end is written down: what was cut short by a crash excuses nothing. */
function passedMeanwhile(time: number, { written }: Run): boolean {
  return written?.end !== undefined && written.begin < time && time <= written.end
}

/**
 * Whoever claims a time tells of those that it has passed over. A process that was ended between its claim
 * and its first word can tell nobody: of that claim it is only seen that it crashed, or a later attempt, and
 * the times before it go untold.
 */
function isCutOff(time: number, lane: readonly Run[], crashed: readonly number[]): boolean {
  const later = [...lane.map(({ fireTime }) => fireTime), ...crashed].filter((one) => one > time)
  const claimed = Math.min(...later)
  return (
    later.length > 0 && !lane.some(({ fireTime, attempt }) => fireTime === claimed && attempt === 1)
  )
}

function timesIn(after: number, until: number, period: number): number[] {
  const times: number[] = []
  for (let time = Math.floor(after / period) * period + period; time <= until; time += period) {
    times.push(time)
  }
  return times
}
