import type { Clock } from '@elasticjob/core'
import { sql } from 'kysely'

import type { Database } from '../dialect.ts'

/** Locks are per server, so the name includes the database; names are limited to 64 characters. */
const lock = sql`left(concat('elasticjob history ', database()), 64)`

const pause = 50

/**
 * A named lock of one connection. Statements that create tables commit implicitly, so a transaction cannot be
 * used.
 */
export function withSchemaLock<Result>(
  db: Database,
  clock: Clock,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    while (!(await isTaken(connection)))
      await new Promise<void>((resolve) => void clock.setTimer(resolve, pause))
    try {
      return await work(connection)
    } finally {
      await sql`select release_lock(${lock})`.execute(connection)
    }
  })
}

async function isTaken(db: Database): Promise<boolean> {
  const { rows } = await sql<{ taken: number }>`select get_lock(${lock}, 0) as taken`.execute(db)
  return rows[0]?.taken === 1
}
