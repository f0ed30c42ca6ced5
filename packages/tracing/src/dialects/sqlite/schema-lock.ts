import type { Clock } from '@elasticjob/zookeeper'

import type { Database } from '../dialect.ts'

/** A transaction that writes keeps every other one away, and takes all of it back when it fails. */
export function withSchemaLock<Result>(
  db: Database,
  _clock: Clock,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(work)
}
