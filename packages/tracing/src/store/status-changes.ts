import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { cleanText, shardsOf } from './clean.ts'
import type { Page, PageRequest, StatusChange, StatusFilter } from './queries.ts'
import { column, scan } from './scan.ts'
import type { Tables } from './tables.ts'

interface StatusRow {
  readonly id: string
  readonly job_name: string
  readonly original_task_id: string
  readonly task_id: string
  readonly slave_id: string
  readonly execution_type: string
  readonly sharding_item: string
  readonly state: string
  readonly message: string | null
  readonly created: unknown
}

export async function findStatusChanges(
  db: Database,
  tables: Tables,
  filter: StatusFilter,
  page: PageRequest,
): Promise<Page<StatusChange>> {
  const { schema, expressions } = tables
  const { rows, next } = await scan<StatusRow>(db, expressions, {
    table: schema.statuses.name,
    time: 'creation_time',
    tie: schema.statusTie,
    columns: sql`e.id, e.job_name, e.original_task_id, e.task_id, e.slave_id, e.execution_type,
      e.sharding_item, e.state, e.message,
      ${expressions.readTime(sql`e.creation_time`)} as created`,
    range: filter,
    ...conditions(tables, filter),
    page,
  })
  return {
    next,
    rows: rows.map((row) => ({
      id: row.id,
      jobName: row.job_name,
      originalTaskId: row.original_task_id,
      taskId: row.task_id,
      slaveId: row.slave_id,
      executionType: row.execution_type,
      shardingItems: shardsOf(row.sharding_item),
      state: row.state,
      message: row.message ?? '',
      creationTime: expressions.timeOf(row.created),
    })),
  }
}

/** A task is found by its own index, which matches few rows; a job by ours. */
function conditions(
  { schema, expressions }: Tables,
  filter: StatusFilter,
): { indexed: readonly RawBuilder<boolean>[]; filters: readonly RawBuilder<boolean>[] } {
  const isText = (name: string, text: string): RawBuilder<boolean> => {
    const limits = schema.statuses.columns.get(name)?.text
    return expressions.isText(column(name), limits === undefined ? text : cleanText(text, limits))
  }
  const { jobName, taskId, address, shardingItem, states } = filter
  const indexed: RawBuilder<boolean>[] = []
  if (jobName !== undefined) indexed.push(isText('job_name', jobName))
  if (taskId !== undefined) indexed.push(isText('task_id', taskId))
  const filters: RawBuilder<boolean>[] = []
  if (address !== undefined) filters.push(isText('slave_id', address))
  if (shardingItem !== undefined) filters.push(hasShard(shardingItem))
  if (states !== undefined)
    filters.push(states.length === 0 ? sql`1 = 0` : sql`e.state in (${sql.join([...states])})`)
  return { indexed, filters }
}

/** Java's list has one space after each comma; a shard may be first, last, or between others. */
function hasShard(shard: number): RawBuilder<boolean> {
  const list = sql.ref('e.sharding_item')
  return sql`(${list} = ${`[${shard}]`} or ${list} like ${`[${shard}, %`}
    or ${list} like ${`%, ${shard}]`} or ${list} like ${`%, ${shard}, %`})`
}
