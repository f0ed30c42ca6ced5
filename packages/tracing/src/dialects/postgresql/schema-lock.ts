import type { Clock } from '@elasticjob/core'
import { sql } from 'kysely'

import type { Database } from '../dialect.ts'

/** An arbitrary unique number: "elasticj" on a phone keypad. */
const lock = 352784255

const pause = 50

/**
 * An advisory lock of one connection. Polled instead of awaited: a concurrent index creation waits for every
 * running statement, and would wait for those that wait for the lock.
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
      await sql`select pg_advisory_unlock(${sql.lit(lock)})`.execute(connection)
    }
  })
}

async function isTaken(db: Database): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${sql.lit(lock)}) as taken`.execute(db)
  return rows[0]?.taken === true
}
