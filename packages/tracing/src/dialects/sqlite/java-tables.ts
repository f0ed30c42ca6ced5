import { sql } from 'kysely'

import type { Column, Database, FoundTable, JavaTableOptions } from '../dialect.ts'

/** As Java creates them: SQLite uses Java's generic form. */
export function executionTable(): readonly string[] {
  return [
    `create table if not exists JOB_EXECUTION_LOG (
      id VARCHAR(40) NOT NULL,
      job_name VARCHAR(100) NOT NULL,
      task_id VARCHAR(255) NOT NULL,
      hostname VARCHAR(255) NOT NULL,
      ip VARCHAR(50) NOT NULL,
      sharding_item INTEGER NOT NULL,
      execution_source VARCHAR(20) NOT NULL,
      failure_cause VARCHAR(4000) NULL,
      is_success INTEGER NOT NULL,
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

export async function findTable(db: Database, name: string): Promise<FoundTable | undefined> {
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info(${name})`.execute(db)
  if (rows.length === 0) return undefined
  return { name, columns: new Map(rows.map((row) => [row.name.toLowerCase(), columnOf(row.type)])) }
}

/** SQLite ignores lengths: they are kept so that the rows can move to another database. */
function columnOf(declared: string): Column {
  const [, type = '', length] = /^([^(]*)(?:\((\d+)\))?/.exec(declared.toLowerCase()) ?? []
  return {
    type: type.trim(),
    text: { length: length === undefined ? undefined : Number(length), repertoire: 'unicode' },
  }
}
