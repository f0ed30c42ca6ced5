import { sql } from 'kysely'

import type { Repertoire } from '../../store/clean.ts'
import type { Database, FoundTable, JavaTableOptions } from '../dialect.ts'

/** As Java creates them. */
export function executionTable(): readonly string[] {
  return [
    `create table if not exists JOB_EXECUTION_LOG (
      id VARCHAR(40) NOT NULL,
      job_name VARCHAR(100) NOT NULL,
      task_id VARCHAR(255) NOT NULL,
      hostname VARCHAR(255) NOT NULL,
      ip VARCHAR(50) NOT NULL,
      sharding_item INT NOT NULL,
      execution_source VARCHAR(20) NOT NULL,
      failure_cause VARCHAR(4000) NULL,
      is_success BOOLEAN NOT NULL,
      start_time TIMESTAMP NULL,
      complete_time TIMESTAMP NULL,
      PRIMARY KEY (id))`,
  ]
}

export function statusTable({ withSource }: JavaTableOptions): readonly string[] {
  return [
    `create table if not exists JOB_STATUS_TRACE_LOG (
      id VARCHAR(40) NOT NULL,
      job_name VARCHAR(100) NOT NULL,
      original_task_id VARCHAR(255) NOT NULL,
      task_id VARCHAR(255) NOT NULL,
      slave_id VARCHAR(50) NOT NULL,
      ${withSource ? 'source VARCHAR(50) NOT NULL,' : ''}
      execution_type VARCHAR(20) NOT NULL,
      sharding_item VARCHAR(100) NOT NULL,
      state VARCHAR(20) NOT NULL,
      message VARCHAR(4000) NULL,
      creation_time TIMESTAMP NULL,
      PRIMARY KEY (id))`,
    'create index if not exists TASK_ID_STATE_INDEX on JOB_STATUS_TRACE_LOG (task_id, state)',
  ]
}

interface ColumnRow {
  readonly name: string
  readonly column: string
  readonly type: string
  readonly length: number | null
  readonly encoding: string
}

/** In the default schema, which Java's statements use as well. */
export async function findTable(db: Database, name: string): Promise<FoundTable | undefined> {
  const { rows } = await sql<ColumnRow>`
    select c.table_name as name, c.column_name as "column", c.data_type as type,
      c.character_maximum_length as length,
      pg_encoding_to_char(d.encoding) as encoding
    from information_schema.columns c, pg_database d
    where c.table_schema = current_schema() and c.table_name = ${name.toLowerCase()}
      and d.datname = current_database()`.execute(db)
  const found = rows[0]?.name
  if (found === undefined) return undefined
  const columns = rows.map(({ column, type, length, encoding }) => [
    column.toLowerCase(),
    { type, text: { length: length ?? undefined, repertoire: repertoireOf(encoding) } },
  ]) satisfies [string, unknown][]
  return { name: found, columns: new Map(columns) }
}

function repertoireOf(encoding: string): Repertoire {
  if (encoding === 'UTF8') return 'unicode'
  return encoding === 'LATIN1' ? 'latin1' : 'ascii'
}
