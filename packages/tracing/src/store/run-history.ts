import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { executionSelection, type ExecutionRow, withDetails } from './executions.ts'
import type { Execution, LogRequest, RunHistory, RunLog } from './queries.ts'
import type { LogStream } from './records.ts'
import { pageLimit } from './scan.ts'
import type { Tables } from './tables.ts'

/** Undefined if the run does not exist. */
export async function findRun(
  db: Database,
  tables: Tables,
  runId: string,
): Promise<RunHistory | undefined> {
  const [execution] = await findByIds(db, tables, [runId])
  if (execution === undefined) return undefined
  const { details } = execution
  if (details === undefined) return { execution, attempts: [execution] }
  const { rows } = await sql<{ run_id: string }>`
    select a.run_id from ${sql.table(ours.runs)} a
    join ${sql.table(ours.runs)} r on r.run_id = ${runId} and a.job_name = r.job_name
      and a.sharding_item = r.sharding_item and a.fire_time = r.fire_time
    order by a.attempt, a.start_time limit ${sql.lit(longestAttempts)}`.execute(db)
  const attempts = await findByIds(
    db,
    tables,
    rows.map((row) => row.run_id),
  )
  return {
    execution,
    attempts: attempts.filter((attempt) => attempt.details?.manualRun === details.manualRun),
  }
}

/** The maximum number of attempts that are read. */
const longestAttempts = 100

/** In the order of the ids. */
async function findByIds(
  db: Database,
  tables: Tables,
  ids: readonly string[],
): Promise<readonly Execution[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ExecutionRow>`
    select ${executionSelection(tables)} from ${sql.table(tables.schema.executions.name)} e
    where e.id in (${sql.join([...ids])})`.execute(db)
  const found = new Map((await withDetails(db, tables, rows)).map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

interface LogRow {
  readonly sequence: number
  readonly time: number
  readonly stream: LogStream
  readonly text: string
}

const longestLog = 10_000
const usualLog = 1000

export async function readLog(
  db: Database,
  runId: string,
  { after = -1, limit }: LogRequest,
): Promise<RunLog> {
  const length = pageLimit(limit, longestLog, usualLog)
  const { rows } = await sql<LogRow>`
    select sequence, time, stream, text from ${sql.table(ours.logs)}
    where run_id = ${runId} and sequence > ${after}
    order by sequence limit ${sql.lit(length + 1)}`.execute(db)
  const chunks = rows
    .slice(0, length)
    .map(({ sequence, time, stream, text }) => ({ runId, sequence, time, stream, text }))
  return { chunks, hasMore: rows.length > length }
}
