import { sql } from 'kysely'

import type { Repertoire } from '../../store/clean.ts'
import type { Database, FoundTable, JavaTableOptions } from '../dialect.ts'

/** As Java creates them. */
export function executionTable(): readonly string[] {
  return [
    `create table if not exists JOB_EXECUTION_LOG (
      auto_id int NOT NULL AUTO_INCREMENT,
      id VARCHAR(40) NOT NULL,
      job_name VARCHAR(100) NOT NULL,
      task_id VARCHAR(255) NOT NULL,
      hostname VARCHAR(255) NOT NULL,
      ip VARCHAR(50) NOT NULL,
      sharding_item INT NOT NULL,
      execution_source VARCHAR(20) NOT NULL,
      failure_cause VARCHAR(4000) NULL,
      is_success INT NOT NULL,
      start_time TIMESTAMP NULL,
      complete_time TIMESTAMP NULL,
      PRIMARY KEY (auto_id),
      UNIQUE KEY id (id)) ENGINE=InnoDB`,
  ]
}

/** Creates the index with the table, unlike Java, which uses a second statement that could be missed. */
export function statusTable({ withSource }: JavaTableOptions): readonly string[] {
  return [
    `create table if not exists JOB_STATUS_TRACE_LOG (
      auto_id int NOT NULL AUTO_INCREMENT,
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
      PRIMARY KEY (auto_id),
      KEY TASK_ID_STATE_INDEX (task_id(128), state)) ENGINE=InnoDB`,
  ]
}

interface ColumnRow {
  readonly name: string
  readonly column: string
  readonly type: string
  readonly length: number | null
  readonly characters: string | null
}

/** Table names are case-sensitive on most systems: if there are two, Java's own spelling counts. */
export async function findTable(db: Database, name: string): Promise<FoundTable | undefined> {
  const { rows } = await sql<ColumnRow>`
    select table_name as name, column_name as \`column\`, data_type as type,
      character_maximum_length as length, character_set_name as characters
    from information_schema.columns
    where table_schema = database() and lower(table_name) = ${name.toLowerCase()}
    order by table_name`.execute(db)
  const found = rows.find((row) => row.name === name)?.name ?? rows[0]?.name
  if (found === undefined) return undefined
  const columns = rows
    .filter((row) => row.name === found)
    .map(({ column, type, length, characters }) => [
      column.toLowerCase(),
      {
        type: type.toLowerCase(),
        text: {
          length: length ?? undefined,
          repertoire: repertoireOf(characters ?? ''),
        },
      },
    ]) satisfies [string, unknown][]
  return { name: found, columns: new Map(columns) }
}

function repertoireOf(characters: string): Repertoire {
  if (characters === 'utf8mb4') return 'unicode'
  if (characters === 'utf8' || characters === 'utf8mb3') return 'bmp'
  return characters === 'latin1' ? 'latin1' : 'ascii'
}
