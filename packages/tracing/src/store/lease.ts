/** Leases for work of one process at a time: a row that is valid until a time. */
import { sql } from 'kysely'

import type { Database, Writing } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'

export interface Lease {
  readonly name: string
  readonly holder: string
  readonly now: number
  readonly length: number
}

/**
 * Takes the lease, or extends it for its holder. The clocks of machines differ, so two processes may both
 * hold it: their work must tolerate that.
 */
export async function takeLease(
  db: Database,
  writing: Writing,
  { name, holder, now, length }: Lease,
): Promise<boolean> {
  const taken = await sql`update ${sql.table(ours.leases)}
    set holder = ${holder}, ends_at = ${now + length}
    where name = ${name} and (holder = ${holder} or ends_at <= ${now})`.execute(db)
  if (Number(taken.numAffectedRows ?? 0) > 0) return true
  const added = await writing.insertNew(db, {
    table: ours.leases,
    columns: ['name', 'holder', 'ends_at'],
    rows: [[name, holder, now + length]],
  })
  return added > 0
}

/** Releases the lease early. */
export async function endLease(db: Database, name: string, holder: string): Promise<void> {
  await sql`delete from ${sql.table(ours.leases)}
    where name = ${name} and holder = ${holder}`.execute(db)
}
