import { type RawBuilder, sql } from 'kysely'

import type { Database, Index, JavaTables } from '../dialect.ts'

/** Every index implicitly ends with the primary key, which orders the rows of one second. */
export function indexesOf({ executions, statuses }: JavaTables): readonly Index[] {
  const executionTable = sql.table(executions.name)
  const statusTable = sql.table(statuses.name)
  return [
    index('elasticjob_execution_time', sql`${executionTable} (start_time)`),
    index('elasticjob_execution_job', sql`${executionTable} (job_name, start_time)`),
    // MySQL has no partial indexes.
    index('elasticjob_execution_failed', sql`${executionTable} (is_success, start_time)`),
    index(
      'elasticjob_execution_job_failed',
      sql`${executionTable} (job_name, is_success, start_time)`,
    ),
    index('elasticjob_status_time', sql`${statusTable} (creation_time)`),
    index('elasticjob_status_job', sql`${statusTable} (job_name, creation_time)`),
  ]
}

/** Java continues writing while the index is created. */
function index(name: string, place: RawBuilder<unknown>): Index {
  return {
    name,
    statements: [sql`create index ${sql.ref(name)} on ${place} algorithm = inplace lock = none`],
  }
}

export async function findIndexes(db: Database, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct index_name as name from information_schema.statistics
    where table_schema = database() and table_name = ${table}`.execute(db)
  return new Set(rows.map(({ name }) => name.toLowerCase()))
}
