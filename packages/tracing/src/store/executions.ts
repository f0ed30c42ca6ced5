/** The runs of Java and of this product: Java's table contains all of them, our table adds details. */
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { cleanText } from './clean.ts'
import type {
  Execution,
  ExecutionDetails,
  ExecutionFilter,
  ExecutionOutcome,
  Page,
  PageRequest,
} from './queries.ts'
import type { Outcome, Source } from './records.ts'
import { successValue } from './rows.ts'
import { column, scan } from './scan.ts'
import type { Tables } from './tables.ts'

/** A row of Java's table. */
export interface ExecutionRow {
  readonly id: string
  readonly job_name: string
  readonly task_id: string
  readonly hostname: string
  readonly ip: string
  readonly sharding_item: number
  readonly execution_source: string
  readonly failure_cause: string | null
  readonly is_success: boolean | number
  readonly started: unknown
  readonly completed: unknown
}

/** A row of our table. */
interface RunRow {
  readonly run_id: string
  readonly instance: string
  readonly source: Source
  readonly fire_time: number
  readonly attempt: number
  readonly retries: number
  readonly round: number | null
  readonly token: string | null
  readonly lateness: number | null
  readonly start_time: number
  readonly complete_time: number | null
  readonly duration: number | null
  readonly outcome: Outcome | null
}

export async function findExecutions(
  db: Database,
  tables: Tables,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<Page<Execution>> {
  const { schema, expressions } = tables
  const { rows, next } = await scan<ExecutionRow>(db, expressions, {
    table: schema.executions.name,
    time: 'start_time',
    tie: schema.executionTie,
    columns: executionSelection(tables),
    range: filter,
    indexed: indexedConditions(tables, filter),
    filters: otherConditions(tables, filter),
    page,
  })
  return { rows: await withDetails(db, tables, rows), next }
}

/** The columns of `e` that a run is read from. */
export function executionSelection({ expressions }: Tables): RawBuilder<unknown> {
  return sql`e.id, e.job_name, e.task_id, e.hostname, e.ip, e.sharding_item, e.execution_source,
    e.failure_cause, e.is_success,
    ${expressions.readTime(sql`e.start_time`)} as started,
    ${expressions.readTime(sql`e.complete_time`)} as completed`
}

/** A text as stored in that column. */
export function asStored({ schema }: Tables, name: string, text: string): string {
  const limits = schema.executions.columns.get(name)?.text
  return limits === undefined ? text : cleanText(text, limits)
}

function indexedConditions(
  tables: Tables,
  { jobName, outcomes }: ExecutionFilter,
): readonly RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  if (jobName !== undefined)
    conditions.push(
      tables.expressions.isText(column('job_name'), asStored(tables, 'job_name', jobName)),
    )
  // Failures are rare and often queried: they have an index of their own.
  if (outcomes !== undefined && !outcomes.includes('success')) conditions.push(isFailed(tables))
  return conditions
}

/** Must match the condition of the partial index, which is not used otherwise. */
function isFailed({ schema }: Tables): RawBuilder<boolean> {
  return schema.isSuccessBoolean ? sql`not e.is_success` : sql`e.is_success = 0`
}

function otherConditions(
  tables: Tables,
  { address, shardingItem, outcomes, sources }: ExecutionFilter,
): readonly RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  if (address !== undefined) conditions.push(isAt(tables, address))
  if (shardingItem !== undefined) conditions.push(sql`e.sharding_item = ${shardingItem}`)
  if (outcomes !== undefined) conditions.push(isOneOf(outcomes.map((one) => hasEnded(tables, one))))
  if (sources !== undefined) conditions.push(cameFrom(tables, sources))
  return conditions
}

export function isAt(tables: Tables, address: string): RawBuilder<boolean> {
  const { isText } = tables.expressions
  return isOneOf([
    isText(column('ip'), asStored(tables, 'ip', address)),
    isText(column('hostname'), asStored(tables, 'hostname', address)),
  ])
}

/** False for an empty list. */
function isOneOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join([...conditions], sql` or `)})`
}

/** A value of our table for a run, as a subquery per row: a join might read the whole table. */
function detail({ expressions }: Tables, name: string): RawBuilder<unknown> {
  return sql`(select ${sql.ref(`r.${name}`)} from ${sql.table(ours.runs)} r
    where ${expressions.isDetailOfExecution})`
}

function hasEnded(tables: Tables, outcome: ExecutionOutcome): RawBuilder<boolean> {
  const known = detail(tables, 'outcome')
  const isJavas = sql`${detail(tables, 'run_id')} is null`
  const { isSuccessBoolean } = tables.schema
  if (outcome === 'success') return sql`e.is_success = ${successValue(isSuccessBoolean, true)}`
  if (outcome === 'running')
    return sql`(e.complete_time is null and e.failure_cause is null and ${isFailed(tables)})`
  if (outcome !== 'failure') return sql`${known} = ${outcome}`
  return sql`(${known} = ${outcome} or (${isFailed(tables)} and ${isJavas}
    and (e.complete_time is not null or e.failure_cause is not null)))`
}

function cameFrom(tables: Tables, sources: readonly Source[]): RawBuilder<boolean> {
  if (sources.length === 0) return sql`1 = 0`
  const javaSources = Object.entries(sourceOfJava)
    .filter(([, source]) => sources.includes(source))
    .map(([state]) => state)
  const known = detail(tables, 'source')
  const isOurs = sql<boolean>`${known} in (${sql.join([...sources])})`
  if (javaSources.length === 0) return isOurs
  return sql`(${isOurs} or (${known} is null and e.execution_source in (${sql.join(javaSources)})))`
}

const sourceOfJava: Readonly<Record<string, Source>> = {
  NORMAL_TRIGGER: 'cron',
  MISFIRE: 'misfire',
  FAILOVER: 'failover',
}

/** The number of runs per statement. */
const lookup = 500

export async function withDetails(
  db: Database,
  tables: Tables,
  rows: readonly ExecutionRow[],
): Promise<readonly Execution[]> {
  const details = new Map<string, RunRow>()
  for (let index = 0; index < rows.length; index += lookup) {
    const ids = rows.slice(index, index + lookup).map(({ id }) => id)
    const found = await sql<RunRow>`
      select run_id, instance, source, fire_time, attempt, retries, round,
        ${tables.expressions.digits(sql`fencing_token`)} as token,
        lateness, start_time, complete_time, duration, outcome
      from ${sql.table(ours.runs)} where run_id in (${sql.join(ids)})`.execute(db)
    for (const row of found.rows) details.set(row.run_id, row)
  }
  return rows.map((row) => executionOf(tables, row, details.get(row.id)))
}

function executionOf(
  { expressions }: Tables,
  row: ExecutionRow,
  run: RunRow | undefined,
): Execution {
  const timeOf = (value: unknown): number | undefined =>
    value === null ? undefined : expressions.timeOf(value)
  const startTime = run?.start_time ?? timeOf(row.started) ?? 0
  const completeTime = run === undefined ? timeOf(row.completed) : (run.complete_time ?? undefined)
  return {
    id: row.id,
    jobName: row.job_name,
    taskId: row.task_id,
    hostname: row.hostname,
    ip: row.ip,
    shardingItem: row.sharding_item,
    source: run?.source ?? sourceOfJava[row.execution_source] ?? 'cron',
    startTime,
    completeTime,
    isSuccess: Boolean(row.is_success),
    failureCause: row.failure_cause ?? undefined,
    outcome: outcomeOf(row, run),
    duration:
      run === undefined
        ? completeTime === undefined
          ? undefined
          : Math.max(completeTime - startTime, 0)
        : (run.duration ?? undefined),
    details: run === undefined ? undefined : detailsOf(run),
  }
}

function outcomeOf(row: ExecutionRow, run: RunRow | undefined): ExecutionOutcome {
  if (run !== undefined) return run.outcome ?? 'running'
  if (row.is_success) return 'success'
  return row.completed === null && row.failure_cause === null ? 'running' : 'failure'
}

function detailsOf(run: RunRow): ExecutionDetails {
  return {
    instance: run.instance,
    fireTime: run.fire_time,
    attempt: run.attempt,
    retries: run.retries,
    manualRun: run.round ?? undefined,
    fencingToken: run.token === null ? undefined : BigInt(run.token),
    lateness: run.lateness ?? undefined,
  }
}
