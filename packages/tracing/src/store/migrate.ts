/** Migrates our own tables to the newest version. The caller holds the schema lock. */
import { CompiledQuery, sql } from 'kysely'

import type { Database, Migration } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'

export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  const table = sql.table(ours.migrations)
  await sql`create table if not exists ${table}
    (version INTEGER NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)`.execute(db)
  const { rows } = await sql<{ version: number | null }>`
    select max(version) as version from ${table}`.execute(db)
  const current = rows[0]?.version ?? 0
  const newest = migrations.at(-1)?.version ?? 0
  if (current > newest)
    throw new HistoryError(
      'HISTORY_SCHEMA_NEWER',
      message('tables-newer', { version: current, known: newest }),
    )
  for (const { version, statements } of migrations) {
    if (version <= current) continue
    for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
    await sql`insert into ${table} (version, applied_at) values (${version}, ${now})`.execute(db)
  }
}
