/** Who may do what one process at a time does: a row that is good until a time, and then anybody's. */
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
 * Takes the lease, or makes it longer for its holder. Clocks of machines differ, so two may think they
 * have it: what they do must bear that.
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

/** Gives it back before its time. */
export async function endLease(db: Database, name: string, holder: string): Promise<void> {
  await sql`delete from ${sql.table(ours.leases)}
    where name = ${name} and holder = ${holder}`.execute(db)
}
