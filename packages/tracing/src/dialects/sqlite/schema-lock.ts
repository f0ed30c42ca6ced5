import type { Clock } from '@elasticjob/core'

import type { Database } from '../dialect.ts'

/** A write transaction excludes all others, and rolls back as a whole when it fails. */
export function withSchemaLock<Result>(
  db: Database,
  _clock: Clock,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(work)
}
