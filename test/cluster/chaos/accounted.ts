/**
 * What becomes of every fire time of every enabled shard: it ran, or it was merged into the misfire run that
 * followed, or it was reported as missed or skipped. No fire time is silent. And a report is true: a fire time that
 * was reported never ran.
 */
import type { ExpectedSpan } from './expectations.ts'
import {
  byShard,
  type Facts,
  shardKey,
  nameOf,
  type Run,
  type ToldEvent,
  type Violation,
} from './facts.ts'
import { forgottenSpan, type RegistryLoss } from './registry-loss.ts'
import type { Span } from './wire-log.ts'

export interface AccountOptions {
  /** When which shard was to fire. */
  readonly spans: readonly ExpectedSpan[]
  /** The jobs of manual runs, and their numbers of shards. */
  readonly triggered: ReadonlyMap<string, number>
  readonly losses: readonly RegistryLoss[]
  /** How long after its time a fire that did not run may be unreported, in milliseconds. */
  readonly reportTime: number
  /** What a moment of the machine's time is in milliseconds since 1970. */
  readonly epochOf: (machineTime: number) => number
  /** Nothing was disturbed any more from here on: every time runs. */
  readonly calmFrom: number
  /** No time after this is looked at. */
  readonly until: number
}

export interface Account {
  readonly violations: readonly Violation[]
  /** How many fire times of shards came to which end. */
  readonly counts: Readonly<Record<Fate, number>>
}

type Fate = 'ran' | 'merged' | 'skipped' | 'missed' | 'silent'

export function accountOf(facts: Facts, options: AccountOptions): Account {
  const runs = byShard(facts.runs)
  const reports = reportsOf(facts.events)
  const forgotten = forgottenSpans(options)
  const counts = { ran: 0, merged: 0, skipped: 0, missed: 0, silent: 0 }
  const violations: Violation[] = []
  for (const span of options.spans) {
    const key = shardKey(span)
    const fires = firesOf(runs.get(key) ?? [])
    for (const time of timesIn(span.from, Math.min(span.to, options.until), span.period)) {
      if (forgotten.some(([from, to]) => from <= time && time <= to)) continue
      const fate = fateOf(time, fires, reports.get(key) ?? [])
      counts[fate] += 1
      if (fate === 'silent') {
        violations.push({ rule: 'silent', text: `${key} at ${time} neither ran nor was missed` })
      } else if (time >= options.calmFrom && fate === 'missed') {
        const text = `${key} did not run at ${time}, when nothing was disturbed any more`
        violations.push({ rule: 'not run', text })
      }
    }
  }
  violations.push(...falseReports(runs, reports, options), ...lostManualRuns(facts, options))
  return { violations, counts }
}

function forgottenSpans({ losses, reportTime, epochOf }: AccountOptions): Span[] {
  return losses.map((loss) => {
    const [from, to] = forgottenSpan(loss, reportTime)
    return [epochOf(from), epochOf(to)]
  })
}

/** Every shard runs in every manual run that was accepted. */
function lostManualRuns({ runs, asked }: Facts, options: AccountOptions): Violation[] {
  const { triggered, losses, epochOf } = options
  const ran = new Set(runs.map((run) => `${shardKey(run)} ${run.fireTime}`))
  const found: Violation[] = []
  for (const { job, fireTime } of asked) {
    if (losses.some((loss) => isForgotten(fireTime, loss, epochOf))) continue
    for (let shard = 0; shard < (triggered.get(job) ?? 0); shard++) {
      if (ran.has(`${shardKey({ job, shard })} ${fireTime}`)) continue
      found.push({
        rule: 'round',
        text: `${job}/${shard} did not run in the manual run of ${fireTime}`,
      })
    }
  }
  return found
}

/** A manual run that waits behind others may be asked for long before the registry loses it. */
const longestManualRun = 60_000

function isForgotten(
  time: number,
  { at, until }: RegistryLoss,
  epochOf: AccountOptions['epochOf'],
): boolean {
  return epochOf(at) - longestManualRun <= time && time <= epochOf(until)
}

/** Fire times that were reported: the first and the last of a row. */
interface Report {
  readonly first: number
  readonly last: number
  readonly event: ReportEvent
}

/** Of a run that crashed and is not repeated the code may have begun. */
type ReportEvent = 'fire:missed' | 'fire:skipped' | 'run:abandoned'

function isReport(event: string): event is ReportEvent {
  return ['fire:missed', 'fire:skipped', 'run:abandoned'].includes(event)
}

function reportsOf(events: readonly ToldEvent[]): Map<string, Report[]> {
  const reports = new Map<string, Report[]>()
  for (const { event, payload } of events) {
    if (!isReport(event)) continue
    const { jobName, shardingItem, first, fireTime } = payload as {
      jobName: string
      shardingItem: number
      first?: number
      fireTime: number
    }
    const key = shardKey({ job: jobName, shard: shardingItem })
    const known = reports.get(key) ?? []
    known.push({ first: first ?? fireTime, last: fireTime, event })
    reports.set(key, known)
  }
  return reports
}

/** A registry that has lost data knows nothing of the runs that were claimed since the backup. */
function falseReports(
  runs: ReadonlyMap<string, readonly Run[]>,
  reports: ReadonlyMap<string, readonly Report[]>,
  { losses, epochOf }: AccountOptions,
): Violation[] {
  const found: Violation[] = []
  for (const [key, known] of reports) {
    for (const run of runs.get(key) ?? []) {
      const { fireTime } = run
      if (run.source === 'trigger') continue
      const isLost = losses.some(({ since, until }) =>
        [fireTime, run.claimedAt].some((time) => inSpan(time, epochOf(since), epochOf(until))),
      )
      if (isLost) continue
      const report = known.find(
        ({ first, last, event }) => event !== 'run:abandoned' && inSpan(fireTime, first, last),
      )
      if (report === undefined) continue
      const text = `${nameOf(run)} was reported by ${report.event} (${report.first} to ${report.last})`
      found.push({ rule: 'false report', text })
    }
  }
  return found
}

function inSpan(time: number, first: number, last: number): boolean {
  return first <= time && time <= last
}

/** All runs of a shard for one fire time: its attempts. */
interface Fire {
  readonly fireTime: number
  readonly isMisfire: boolean
  /** When it was claimed, in milliseconds since 1970: its code may begin much later. */
  readonly claimed: number
}

function firesOf(runs: readonly Run[]): Fire[] {
  const fires = new Map<number, Fire>()
  for (const run of runs) {
    const { fireTime, source } = run
    const first = fires.get(fireTime)
    fires.set(fireTime, {
      fireTime,
      isMisfire: (first?.isMisfire ?? false) || source === 'misfire',
      claimed: first?.claimed ?? run.claimedAt,
    })
  }
  return [...fires.values()].toSorted((a, b) => a.claimed - b.claimed)
}

function fateOf(time: number, fires: readonly Fire[], reports: readonly Report[]): Fate {
  if (fires.some(({ fireTime }) => fireTime === time)) return 'ran'
  const report = reports.find(({ first, last }) => inSpan(time, first, last))
  if (report !== undefined) return report.event === 'fire:skipped' ? 'skipped' : 'missed'
  return isMerged(time, fires) ? 'merged' : 'silent'
}

/** The next fire after the one that was running then is a misfire run that stands for this time, too. */
function isMerged(time: number, fires: readonly Fire[]): boolean {
  const next = fires.findIndex(({ fireTime }) => fireTime > time)
  const running = fires[next - 1]
  return running !== undefined && running.claimed <= time && fires[next]?.isMisfire === true
}

function timesIn(after: number, until: number, period: number): number[] {
  const times: number[] = []
  for (let time = Math.floor(after / period) * period + period; time <= until; time += period) {
    times.push(time)
  }
  return times
}
