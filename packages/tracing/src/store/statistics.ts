/** Statistics of a job by minute, hour or day. */
import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import { cleanTime, ourTimes } from './clean.ts'
import { asStored } from './executions.ts'
import { classOf, Histogram } from './histogram.ts'
import type {
  ExecutionOutcome,
  StatisticsBucket,
  StatisticsRequest,
  Statistics,
  StatisticsStep,
} from './queries.ts'
import type { Outcome } from './records.ts'
import { column, timeOfQuery } from './scan.ts'
import type { Tables } from './tables.ts'

const steps: Readonly<Record<StatisticsStep, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** The number of minutes in a month, for a chart. */
const longestWindow = 44_640

/**
 * The maximum time span of one group of runs in the database. The classes of a group form one text of a few
 * characters each, so that even a thousand runs a second stay far below the servers' limits.
 */
const longestGroup = 600_000

/** Runs of about the same time with the same outcome. */
interface Group {
  readonly time: number
  readonly outcome: ExecutionOutcome
  readonly count: number
  /** The duration classes of the runs that have one, unordered. */
  readonly durations: readonly number[]
  readonly latenesses: readonly number[]
}

export async function findStatistics(
  db: Database,
  tables: Tables,
  request: StatisticsRequest,
): Promise<Statistics> {
  const window = windowOf(request)
  const buckets = new Map<number, Tally>()
  const groups = await groupsOfOurs(db, tables, request.jobName, window)
  const known = groups.reduce((sum, { count }) => sum + count, 0)
  const javas = await groupsOfJava(db, tables, request.jobName, window, known)
  for (const group of [...groups, ...javas]) {
    const time = Math.floor(group.time / window.step) * window.step
    const bucket = buckets.get(time) ?? new Tally()
    buckets.set(time, bucket)
    bucket.add(group)
  }
  const total = new Tally()
  for (const bucket of buckets.values()) total.merge(bucket)
  return {
    buckets: [...buckets]
      .toSorted(([one], [other]) => one - other)
      .map(([time, tally]) => tally.bucket(time)),
    total: total.bucket(window.from),
  }
}

interface Window {
  readonly from: number
  readonly to: number
  readonly step: number
}

function windowOf({ from, to, step: name }: StatisticsRequest): Window {
  const step = steps[name]
  // Whole seconds, as some databases store them, so that both tables use the same window.
  const window = {
    from: Math.floor(timeOfQuery(from) / 1000) * 1000,
    to: Math.ceil(timeOfQuery(to) / 1000) * 1000,
    step,
  }
  if (step !== undefined && from < to && (to - from) / step <= longestWindow) return window
  throw new HistoryError(
    'HISTORY_QUERY_INVALID',
    message('statistics-window-invalid', { most: longestWindow }),
  )
}

/**
 * Reads only an index, not the table. Most runs have distinct classes, so grouping equal rows would return
 * nearly as many rows as runs: returning a row costs far more than finding it, and a few long texts do not.
 */
async function groupsOfOurs(
  db: Database,
  { expressions }: Tables,
  jobName: string,
  { from, to, step }: Window,
): Promise<readonly Group[]> {
  const { rows } = await sql<{
    time: number
    outcome: Outcome | null
    count: number
    durations: string | null
    latenesses: string | null
  }>`
    select ${expressions.floor(sql`start_time`, Math.min(step, longestGroup))} as time, outcome,
      count(*) as count, ${expressions.list(sql`duration_class`)} as durations,
      ${expressions.list(sql`lateness_class`)} as latenesses
    from ${sql.table(ours.runs)}
    where job_name = ${jobName} and start_time >= ${cleanTime(from, ourTimes)}
      and start_time < ${cleanTime(to, ourTimes)}
    group by 1, 2`.execute(db)
  return rows.map((row) => ({
    time: row.time,
    outcome: row.outcome ?? 'running',
    count: row.count,
    durations: numbersOf(row.durations),
    latenesses: numbersOf(row.latenesses),
  }))
}

function numbersOf(list: string | null): readonly number[] {
  return list === null ? [] : list.split(',').map(Number)
}

/**
 * The runs written by Java: rows of its table without our details. The lookup of each row is most of the
 * work, and is skipped if the table has no more rows than ours.
 */
async function groupsOfJava(
  db: Database,
  tables: Tables,
  jobName: string,
  { from, to }: Window,
  known: number,
): Promise<readonly Group[]> {
  const { expressions, schema } = tables
  const value = (time: number): string | number =>
    expressions.time(cleanTime(time, expressions.times))
  const isJob = expressions.isText(column('job_name'), asStored(tables, 'job_name', jobName))
  const began = sql`from ${sql.table(schema.executions.name)} e
    where ${isJob} and e.start_time >= ${value(from)} and e.start_time < ${value(to)}`
  const all = await sql<{ count: number }>`select count(*) as count ${began}`.execute(db)
  if (all.rows[0]?.count === known) return []
  const { rows } = await sql<{
    started: unknown
    completed: unknown
    is_success: boolean | number
    has_failed: boolean | number
  }>`
    select ${expressions.readTime(sql`e.start_time`)} as started,
      ${expressions.readTime(sql`e.complete_time`)} as completed, e.is_success,
      e.failure_cause is not null as has_failed
    ${began} and not exists (select 1 from ${sql.table(ours.runs)} r
      where ${expressions.isDetailOfExecution})`.execute(db)
  return rows.map((row) => {
    const start = expressions.timeOf(row.started)
    const end = row.completed === null ? undefined : expressions.timeOf(row.completed)
    const isRunning = end === undefined && !row.has_failed
    return {
      time: start,
      outcome: row.is_success ? 'success' : isRunning ? 'running' : 'failure',
      count: 1,
      durations: end === undefined ? [] : [classOf(Math.max(end - start, 0))],
      latenesses: [],
    }
  })
}

const failing: ReadonlySet<ExecutionOutcome> = new Set(['failure', 'timeout', 'lost'])

class Tally {
  readonly #outcomes = new Map<ExecutionOutcome, number>()
  readonly #duration = new Histogram()
  readonly #lateness = new Histogram()

  add({ outcome, count, durations, latenesses }: Group): void {
    this.#count(outcome, count)
    for (const spanClass of durations) this.#duration.add(spanClass, 1)
    for (const spanClass of latenesses) this.#lateness.add(spanClass, 1)
  }

  merge(other: Tally): void {
    for (const [outcome, count] of other.#outcomes) this.#count(outcome, count)
    this.#duration.merge(other.#duration)
    this.#lateness.merge(other.#lateness)
  }

  bucket(time: number): StatisticsBucket {
    const counts = [...this.#outcomes]
    const sum = (of: typeof counts): number => of.reduce((total, [, count]) => total + count, 0)
    return {
      time,
      runs: sum(counts),
      failures: sum(counts.filter(([outcome]) => failing.has(outcome))),
      outcomes: Object.fromEntries(counts),
      duration: this.#duration.percentiles(),
      lateness: this.#lateness.percentiles(),
    }
  }

  #count(outcome: ExecutionOutcome, count: number): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + count)
  }
}
