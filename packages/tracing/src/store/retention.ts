/** Deletes records beyond the retention limits, in small steps. */
import { millisecondsOf } from '@elasticjob/core/internal'
import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import { cleanTime } from './clean.ts'
import { asStored } from './executions.ts'
import type { RetentionLimits, RetentionPolicy } from './history-store.ts'
import { column } from './scan.ts'
import type { Tables } from './tables.ts'

/** The result of one step of a clean-up; each step is a transaction of its caller. */
export interface RetentionStep {
  readonly executions: number
  readonly statuses: number
  readonly logChunks: number
  /** Whether there may be more. */
  readonly hasMore: boolean
}

/** A status belongs to a run that starts a moment later: it is kept as long as the run. */
const statusGrace = 60_000

/** A writer that has been silent for this long does not repeat an old batch. */
const writerAge = 7 * 86_400_000

export function checkPolicy({ jobs = {}, logCharacters, ...limits }: RetentionPolicy): void {
  const all = [limits, ...Object.values(jobs)].flatMap(({ age = 0, count }) => [
    millisecondsOf(age),
    count,
  ])
  const numbers = [logCharacters, ...all]
  if (numbers.every((value) => value === undefined || (Number.isFinite(value) && value >= 0)))
    return
  throw new HistoryError('HISTORY_QUERY_INVALID', message('retention-invalid'))
}

export function limitsOf(policy: RetentionPolicy, jobName: string): RetentionLimits {
  const { age, count } = { ...policy, ...policy.jobs?.[jobName] }
  return { ...(age === undefined ? {} : { age }), ...(count === undefined ? {} : { count }) }
}

/**
 * The time before which runs of the job are deleted; undefined if all are kept. If the limit is reached in
 * the middle of one moment, all runs of that moment are kept.
 */
export async function cutOff(
  db: Database,
  tables: Tables,
  jobName: string,
  { age, count }: RetentionLimits,
  now: number,
): Promise<number | undefined> {
  const byAge = age === undefined ? undefined : now - millisecondsOf(age)
  const byCount = count === undefined ? undefined : await timeOfRank(db, tables, jobName, count)
  if (byAge === undefined || byCount === undefined) return byAge ?? byCount
  return Math.max(byAge, byCount)
}

/** When the oldest kept run started; undefined if there are no more runs than the limit. */
async function timeOfRank(
  db: Database,
  tables: Tables,
  jobName: string,
  count: number,
): Promise<number | undefined> {
  const { schema, expressions } = tables
  const rank = Math.max(Math.trunc(count), 1)
  const { rows } = await sql<{ started: unknown }>`
    select ${expressions.readTime(sql`e.start_time`)} as started
    from ${sql.table(schema.executions.name)} e
    where ${expressions.isText(column('job_name'), asStored(tables, 'job_name', jobName))}
      and e.start_time is not null
    order by e.start_time desc limit 1 offset ${sql.lit(rank - 1)}`.execute(db)
  const started = rows[0]?.started
  return started === undefined ? undefined : expressions.timeOf(started)
}

export interface JobStep {
  readonly jobName: string
  readonly before: number
  readonly size: number
}

/** Deletes the next few rows of a job that started before this time. */
export async function deleteRuns(
  db: Database,
  tables: Tables,
  { jobName, before, size }: JobStep,
): Promise<RetentionStep> {
  const { schema, expressions } = tables
  const value = (time: number): string | number =>
    expressions.time(cleanTime(time, expressions.times))
  const isJob = expressions.isText(column('job_name'), asStored(tables, 'job_name', jobName))
  const old = await sql<{ id: string }>`
    select e.id from ${sql.table(schema.executions.name)} e
    where ${isJob} and e.start_time < ${value(before)}
    order by e.start_time limit ${sql.lit(size)}`.execute(db)
  const ids = old.rows.map(({ id }) => id)
  const logChunks = await deleteWhere(db, ours.logs, 'run_id', ids)
  await deleteWhere(db, ours.runs, 'run_id', ids)
  const executions = await deleteWhere(db, schema.executions.name, 'id', ids)
  const oldStatuses = await sql<{ tie: string | number }>`
    select ${column(schema.statusTie)} as tie from ${sql.table(schema.statuses.name)} e
    where ${isJob} and e.creation_time < ${value(before - statusGrace)}
    order by e.creation_time limit ${sql.lit(size)}`.execute(db)
  const ties = oldStatuses.rows.map(({ tie }) => tie)
  const statuses = await deleteWhere(db, schema.statuses.name, schema.statusTie, ties)
  return {
    executions,
    statuses,
    logChunks,
    hasMore: ids.length === size || ties.length === size,
  }
}

/** Deletes the oldest log chunks while there is more text than this. */
export async function deleteLogs(
  db: Database,
  characters: number,
  size: number,
): Promise<RetentionStep> {
  const logs = sql.table(ours.logs)
  const sum = await sql<{ total: number | string | null }>`
    select sum(length) as total from ${logs}`.execute(db)
  let excess = Number(sum.rows[0]?.total ?? 0) - characters
  const none = { executions: 0, statuses: 0, logChunks: 0, hasMore: false }
  if (excess <= 0) return none
  const oldest = await sql<{ run_id: string; sequence: number; length: number }>`
    select run_id, sequence, length from ${logs} order by time, length limit ${sql.lit(size)}`.execute(
    db,
  )
  let logChunks = 0
  for (const { run_id: runId, sequence, length } of oldest.rows) {
    if (excess <= 0) break
    await sql`delete from ${logs} where run_id = ${runId} and sequence = ${sequence}`.execute(db)
    excess -= length
    logChunks += 1
  }
  return { ...none, logChunks, hasMore: excess > 0 && logChunks > 0 }
}

export async function deleteWriters(db: Database, now: number): Promise<void> {
  await sql`delete from ${sql.table(ours.writers)} where written_at < ${now - writerAge}`.execute(
    db,
  )
}

async function deleteWhere(
  db: Database,
  table: string,
  key: string,
  values: readonly (string | number)[],
): Promise<number> {
  if (values.length === 0) return 0
  const deleted = await sql`delete from ${sql.table(table)}
    where ${sql.ref(key)} in (${sql.join([...values])})`.execute(db)
  return Number(deleted.numAffectedRows ?? 0)
}
