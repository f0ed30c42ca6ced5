import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import { cleanTime } from './clean.ts'
import { asStored, executionSelection, type ExecutionRow, isAt, withDetails } from './executions.ts'
import type { Timeline, TimelineRequest } from './queries.ts'
import { column, pageLimit, timeOfQuery, where } from './scan.ts'
import type { Tables } from './tables.ts'

const longestTimeline = 10_000
const usualTimeline = 1000
const usualLookBack = 3_600_000

/** The runs that overlap a window, the newest if there are too many. */
export async function findTimeline(
  db: Database,
  tables: Tables,
  request: TimelineRequest,
): Promise<Timeline> {
  const limit = pageLimit(request.limit, longestTimeline, usualTimeline)
  const { expressions, schema } = tables
  const from = timeOfQuery(request.from)
  const to = timeOfQuery(request.to)
  if (from >= to) throw new HistoryError('HISTORY_QUERY_INVALID', message('window-reversed'))
  const value = (time: number): string | number =>
    expressions.time(cleanTime(time, expressions.times))
  const began = from - timeOfQuery(request.lookBack ?? usualLookBack)
  const isBegun = sql<boolean>`e.start_time >= ${value(began)} and e.start_time < ${value(to)}
    and (e.start_time >= ${value(from)} or e.complete_time >= ${value(from)}
      or e.complete_time is null)`
  const { rows } = await sql<ExecutionRow>`
    select ${executionSelection(tables)} from ${sql.table(schema.executions.name)} e
    ${where([isBegun, ...conditions(tables, request)])}
    order by e.start_time desc, ${column(schema.executionTie)} desc
    limit ${sql.lit(limit + 1)}`.execute(db)
  const open = await findOpen(db, tables, request, { began, limit: limit + 1 })
  const all = await withDetails(db, tables, [...rows, ...open])
  const runs = all.toSorted((one, other) => one.startTime - other.startTime)
  return { runs: runs.slice(-limit), isTruncated: runs.length > limit }
}

function conditions(
  tables: Tables,
  { jobName, address }: TimelineRequest,
): readonly RawBuilder<boolean>[] {
  const found: RawBuilder<boolean>[] = []
  if (jobName !== undefined)
    found.push(tables.expressions.isText(column('job_name'), asStored(tables, 'job_name', jobName)))
  if (address !== undefined) found.push(isAt(tables, address))
  return found
}

/** Our runs in progress that started long before the window. */
async function findOpen(
  db: Database,
  tables: Tables,
  request: TimelineRequest,
  { began, limit }: { readonly began: number; readonly limit: number },
): Promise<readonly ExecutionRow[]> {
  const { rows } = await sql<{ run_id: string }>`
    select run_id from ${sql.table(ours.runs)}
    where outcome is null and start_time < ${cleanTime(began, tables.expressions.times)}
    order by start_time desc limit ${sql.lit(limit)}`.execute(db)
  if (rows.length === 0) return []
  const isOpen = sql<boolean>`e.id in (${sql.join(rows.map((row) => row.run_id))})`
  const found = await sql<ExecutionRow>`
    select ${executionSelection(tables)} from ${sql.table(tables.schema.executions.name)} e
    ${where([isOpen, ...conditions(tables, request)])}`.execute(db)
  return found.rows
}
