import { type RawBuilder, sql } from 'kysely'

import type { Database, Index, JavaTables } from '../dialect.ts'

export function indexesOf({ executions, statuses }: JavaTables): readonly Index[] {
  const executionTable = sql.table(executions.name)
  const statusTable = sql.table(statuses.name)
  return [
    index('elasticjob_execution_time', sql`${executionTable} (start_time, id)`),
    index('elasticjob_execution_job', sql`${executionTable} (job_name, start_time, id)`),
    index(
      'elasticjob_execution_failed',
      sql`${executionTable} (start_time, id) where is_success = 0`,
    ),
    index(
      'elasticjob_execution_job_failed',
      sql`${executionTable} (job_name, start_time, id) where is_success = 0`,
    ),
    index('elasticjob_status_time', sql`${statusTable} (creation_time, id)`),
    index('elasticjob_status_job', sql`${statusTable} (job_name, creation_time, id)`),
  ]
}

function index(name: string, place: RawBuilder<unknown>): Index {
  return { name, statements: [sql`create index if not exists ${sql.ref(name)} on ${place}`] }
}

export async function findIndexes(db: Database, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_index_list(${table})`.execute(db)
  return new Set(rows.map(({ name }) => name.toLowerCase()))
}
