import type { Clock } from '@elasticjob/zookeeper'
import { sql } from 'kysely'

import type { Database } from '../dialect.ts'

/** Any number that nobody else takes: "elasticj" in the letters of a telephone. */
const lock = 352784255

const pause = 50

/**
 * An advisory lock of one connection. It is asked for again and again instead of waited for: an index
 * that is made beside writers waits for every statement that has begun, and would wait for those that
 * wait for the lock.
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
