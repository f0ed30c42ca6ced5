import { type RawBuilder, sql } from 'kysely'

import type { Database, Index, JavaTables } from '../dialect.ts'

export function indexesOf({ executions, statuses }: JavaTables): readonly Index[] {
  // Version 2 uses numbers.
  const isBoolean = executions.columns.get('is_success')?.type === 'boolean'
  const failed = isBoolean ? sql`where not is_success` : sql`where is_success = 0`
  const executionTable = sql.table(executions.name)
  const statusTable = sql.table(statuses.name)
  return [
    index('elasticjob_execution_time', sql`${executionTable} (start_time, id)`),
    index('elasticjob_execution_job', sql`${executionTable} (job_name, start_time, id)`),
    index('elasticjob_execution_failed', sql`${executionTable} (start_time, id) ${failed}`),
    index(
      'elasticjob_execution_job_failed',
      sql`${executionTable} (job_name, start_time, id) ${failed}`,
    ),
    index('elasticjob_status_time', sql`${statusTable} (creation_time, id)`),
    index('elasticjob_status_job', sql`${statusTable} (job_name, creation_time, id)`),
  ]
}

/** Java continues writing while the index is created. An invalid index of the same name is dropped first. */
function index(name: string, place: RawBuilder<unknown>): Index {
  return {
    name,
    statements: [
      sql`drop index concurrently if exists ${sql.ref(name)}`,
      sql`create index concurrently ${sql.ref(name)} on ${place}`,
    ],
  }
}

/** Only valid indexes: an interrupted creation leaves an invalid one. */
export async function findIndexes(db: Database, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select i.relname as name from pg_index x
    join pg_class i on i.oid = x.indexrelid
    where x.indrelid = to_regclass(${table}) and x.indisvalid`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
