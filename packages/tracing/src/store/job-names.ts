import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import type { Tables } from './tables.ts'

/**
 * The jobs with runs, of Java or ours, sorted. Skips from name to name along an index: reading all rows of a
 * large table for a few names would take minutes.
 */
export async function findJobNames(db: Database, { schema }: Tables): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const { name: table } of [schema.executions, schema.runs]) {
    for (let last = ''; ;) {
      const { rows } = await sql<{ job_name: string }>`
        select job_name from ${sql.table(table)} where job_name > ${last}
        order by job_name limit 1`.execute(db)
      const name = rows[0]?.job_name
      if (name === undefined) break
      names.add(name)
      last = name
    }
  }
  return [...names].toSorted()
}
