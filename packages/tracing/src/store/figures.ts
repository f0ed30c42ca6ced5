/** What a job did by the minute, the hour or the day. */
import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { HistoryError } from '../errors.ts'
import { cleanTime, ourTimes } from './clean.ts'
import { asStored } from './executions.ts'
import { classOf, Histogram } from './histogram.ts'
import type { ExecutionOutcome, Figure, FigureRequest, Figures, FigureStep } from './queries.ts'
import type { Outcome } from './records.ts'
import { column, timeOfQuery } from './scan.ts'
import type { Tables } from './tables.ts'

const steps: Readonly<Record<FigureStep, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** As many as a chart of a month by the minute has. */
const longestWindow = 44_640

/** Runs that are alike, and how many there are. */
interface Group {
  readonly time: number
  readonly outcome: ExecutionOutcome
  readonly durationClass: number | null
  readonly latenessClass: number | null
  readonly count: number
}

export async function findFigures(
  db: Database,
  tables: Tables,
  request: FigureRequest,
): Promise<Figures> {
  const window = windowOf(request)
  const total = new Tally()
  const buckets = new Map<number, Tally>()
  const groups = await groupsOfOurs(db, tables, request.jobName, window)
  const known = groups.reduce((sum, { count }) => sum + count, 0)
  const javas = await groupsOfJava(db, tables, request.jobName, window, known)
  for (const group of [...groups, ...javas]) {
    const bucket = buckets.get(group.time) ?? new Tally()
    buckets.set(group.time, bucket)
    bucket.add(group)
    total.add(group)
  }
  return {
    buckets: [...buckets]
      .toSorted(([one], [other]) => one - other)
      .map(([time, tally]) => tally.figure(time)),
    total: total.figure(window.from),
  }
}

interface Window {
  readonly from: number
  readonly to: number
  readonly step: number
}

function windowOf({ from, to, step: name }: FigureRequest): Window {
  const step = steps[name]
  // Whole seconds, as some databases keep them: both tables then mean the same window.
  const window = {
    from: Math.floor(timeOfQuery(from) / 1000) * 1000,
    to: Math.ceil(timeOfQuery(to) / 1000) * 1000,
    step,
  }
  if (step !== undefined && from < to && (to - from) / step <= longestWindow) return window
  throw new HistoryError(
    'HISTORY_QUERY_INVALID',
    `Figures are for a window of at most ${longestWindow} minutes, hours or days that ends after it has begun.`,
  )
}

/** All from one index: the table itself is not touched. */
async function groupsOfOurs(
  db: Database,
  { expressions }: Tables,
  jobName: string,
  { from, to, step }: Window,
): Promise<readonly Group[]> {
  const { rows } = await sql<{
    time: number
    outcome: Outcome | null
    duration_class: number | null
    lateness_class: number | null
    count: number
  }>`
    select ${expressions.floor(sql`start_time`, step)} as time, outcome, duration_class,
      lateness_class, count(*) as count
    from ${sql.table(ours.runs)}
    where job_name = ${jobName} and start_time >= ${cleanTime(from, ourTimes)}
      and start_time < ${cleanTime(to, ourTimes)}
    group by 1, 2, 3, 4`.execute(db)
  return rows.map((row) => ({
    time: row.time,
    outcome: row.outcome ?? 'running',
    durationClass: row.duration_class,
    latenessClass: row.lateness_class,
    count: row.count,
  }))
}

/**
 * The runs that Java has written: those of its table that have none of our details. To look each of them up
 * is most of the work, and in vain where the table has no more rows than we know of.
 */
async function groupsOfJava(
  db: Database,
  tables: Tables,
  jobName: string,
  { from, to, step }: Window,
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
      time: Math.floor(start / step) * step,
      outcome: row.is_success ? 'success' : isRunning ? 'running' : 'failure',
      durationClass: end === undefined ? null : classOf(Math.max(end - start, 0)),
      latenessClass: null,
      count: 1,
    }
  })
}

const failing: ReadonlySet<ExecutionOutcome> = new Set(['failure', 'timeout', 'lost'])

class Tally {
  readonly #outcomes = new Map<ExecutionOutcome, number>()
  readonly #duration = new Histogram()
  readonly #lateness = new Histogram()

  add({ outcome, durationClass, latenessClass, count }: Group): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + count)
    if (durationClass !== null) this.#duration.add(durationClass, count)
    if (latenessClass !== null) this.#lateness.add(latenessClass, count)
  }

  figure(time: number): Figure {
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
}
