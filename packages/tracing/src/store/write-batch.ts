import { sql } from 'kysely'

import type { Database, Writing } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { closeAsLost } from './close-as-lost.ts'
import type { Batch } from './records.ts'
import { executionRows, logRows, runRows, statusRows } from './rows.ts'
import type { Tables } from './tables.ts'

/** Writes a batch inside a transaction. Returns false if it was written before. */
export async function writeBatch(
  db: Database,
  tables: Tables,
  batch: Batch,
  now: number,
): Promise<boolean> {
  const { schema, expressions, writing } = tables
  if (!(await isNew(db, writing, batch, now))) return false
  await writing.insertOrComplete(db, {
    ...executionRows(
      schema,
      expressions,
      latest(batch.executions, ({ id }) => id, isEnded),
    ),
    key: 'id',
    completed: ['failure_cause', 'is_success', 'complete_time'],
    endsWith: 'complete_time',
  })
  await writing.insertOrComplete(db, {
    ...runRows(
      schema,
      latest(batch.runs, ({ runId }) => runId, isEnded),
    ),
    key: 'run_id',
    completed: ['retries', 'complete_time', 'duration', 'duration_class', 'outcome'],
    endsWith: 'outcome',
  })
  await writing.insertNew(db, statusRows(schema, expressions, batch.statuses))
  await writing.insertNew(db, logRows(schema, batch.logs))
  await closeAsLost(db, tables, batch.lost)
  return true
}

function isEnded({ completeTime }: { readonly completeTime: number | undefined }): boolean {
  return completeTime !== undefined
}

/** Each record once, with its end if known: no statement may change a row twice. */
function latest<Entry>(
  records: readonly Entry[],
  keyOf: (record: Entry) => string,
  hasEnded: (record: Entry) => boolean,
): readonly Entry[] {
  const byKey = new Map<string, Entry>()
  for (const record of records) {
    const known = byKey.get(keyOf(record))
    if (known === undefined || hasEnded(record) || !hasEnded(known))
      byKey.set(keyOf(record), record)
  }
  return [...byKey.values()]
}

/**
 * Advances the writer to this batch, unless it is already there. A concurrent attempt at the same batch holds
 * the row until it has committed or failed.
 */
async function isNew(
  db: Database,
  writing: Writing,
  { writer, sequence }: Batch,
  now: number,
): Promise<boolean> {
  const counted = await sql`update ${sql.table(ours.writers)}
    set last_batch = ${sequence}, written_at = ${now}
    where writer = ${writer} and last_batch < ${sequence}`.execute(db)
  if (Number(counted.numAffectedRows ?? 0) > 0) return true
  const added = await writing.insertNew(db, {
    table: ours.writers,
    columns: ['writer', 'last_batch', 'written_at'],
    rows: [[writer, sequence, now]],
  })
  return added > 0
}
