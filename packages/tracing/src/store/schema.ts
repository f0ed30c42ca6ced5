/** Finds the tables of a history, and creates missing ones. */
import type { Clock } from '@elasticjob/core'
import { CompiledQuery } from 'kysely'

import type { Database, Dialect, FoundTable, JavaTables } from '../dialects/dialect.ts'
import { javas, ours } from '../dialects/our-tables.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import { migrate } from './migrate.ts'
import type { Creation } from './options.ts'

/** The tables as found, and what follows from that. */
export interface Schema extends JavaTables {
  readonly runs: FoundTable
  readonly logs: FoundTable
  /** Orders executions of the same time, as an index does. */
  readonly executionTie: string
  readonly statusTie: string
  /** Whether success is a boolean there, and not 0 or 1. */
  readonly isSuccessBoolean: boolean
  /** Whether statuses have the column `source`, as in Java up to 3.0.4. */
  readonly hasStatusSource: boolean
}

/** The columns that are read and written. A table of Java's may have more, as long as they need no value. */
export const executionColumns: readonly string[] = [
  'id',
  'job_name',
  'task_id',
  'hostname',
  'ip',
  'sharding_item',
  'execution_source',
  'failure_cause',
  'is_success',
  'start_time',
  'complete_time',
]
export const statusColumns: readonly string[] = [
  'id',
  'job_name',
  'original_task_id',
  'task_id',
  'slave_id',
  'execution_type',
  'sharding_item',
  'state',
  'message',
  'creation_time',
]

export interface SchemaOptions {
  readonly dialect: Dialect
  readonly clock: Clock
  readonly withStatusSource: boolean
  readonly create: Creation
}

export async function openSchema(db: Database, options: SchemaOptions): Promise<Schema> {
  const { dialect, create } = options
  if (create !== 'nothing') await createTables(db, options)
  const executions = await expectTable(db, dialect, javas.executions, executionColumns)
  const statuses = await expectTable(db, dialect, javas.statuses, statusColumns)
  return {
    executions,
    statuses,
    runs: await expectTable(db, dialect, ours.runs, []),
    logs: await expectTable(db, dialect, ours.logs, []),
    executionTie: executions.columns.has('auto_id') ? 'auto_id' : 'id',
    statusTie: statuses.columns.has('auto_id') ? 'auto_id' : 'id',
    isSuccessBoolean: executions.columns.get('is_success')?.type === 'boolean',
    hasStatusSource: statuses.columns.has('source'),
  }
}

async function createTables(
  db: Database,
  { dialect, clock, withStatusSource }: SchemaOptions,
): Promise<void> {
  await dialect.withSchemaLock(db, clock, async (locked) => {
    await createUnlessThere(locked, dialect, javas.executions, dialect.executionTable())
    const withSource = { withSource: withStatusSource }
    await createUnlessThere(locked, dialect, javas.statuses, dialect.statusTable(withSource))
    await migrate(locked, dialect.migrations, clock.now())
  })
}

/**
 * Adds the indexes that queries need to Java's tables. In a large table this takes a while, and writers
 * continue meanwhile. Returns the failures, for example because the table has another owner: without an index
 * a history is slow, but works.
 */
export async function ensureIndexes(
  db: Database,
  schema: Schema,
  { dialect, clock }: SchemaOptions,
): Promise<readonly HistoryError[]> {
  if ((await missingIndexes(db, dialect, schema)).length === 0) return []
  return dialect.withSchemaLock(db, clock, async (locked) => {
    const failures: HistoryError[] = []
    for (const index of await missingIndexes(locked, dialect, schema)) {
      try {
        for (const statement of index.statements) await statement.execute(locked)
      } catch (error) {
        failures.push(dialect.failureOf(error))
      }
    }
    return failures
  })
}

async function missingIndexes(
  db: Database,
  dialect: Dialect,
  schema: Schema,
): Promise<ReturnType<Dialect['indexesOf']>> {
  const there = new Set([
    ...(await dialect.findIndexes(db, schema.executions.name)),
    ...(await dialect.findIndexes(db, schema.statuses.name)),
  ])
  return dialect.indexesOf(schema).filter(({ name }) => !there.has(name))
}

/** Java may create the same table at the same moment, and does not know our lock. */
async function createUnlessThere(
  db: Database,
  dialect: Dialect,
  name: string,
  statements: readonly string[],
): Promise<void> {
  if ((await dialect.findTable(db, name)) !== undefined) return
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
}

async function expectTable(
  db: Database,
  dialect: Dialect,
  name: string,
  columns: readonly string[],
): Promise<FoundTable> {
  const table = await dialect.findTable(db, name)
  const missing = columns.filter((column) => table?.columns.has(column) !== true)
  if (table === undefined) {
    throw new HistoryError(
      'HISTORY_SCHEMA_MISSING',
      message('table-missing', { product: dialect.product, table: name }),
    )
  }
  if (missing.length === 0) return table
  throw new HistoryError(
    'HISTORY_SCHEMA_UNKNOWN',
    message('table-foreign', {
      product: dialect.product,
      table: name,
      columns: missing.join(', '),
    }),
  )
}
