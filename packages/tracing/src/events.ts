/** What a recording tells about itself: `noun:verb`, one payload, one sentence each. */
import type { DroppedRows } from './recorder/figures.ts'
import type { RetentionResult } from './store/history-store.ts'

export interface TracingEvents {
  /** The queue was full, or the recording ended: the oldest were dropped. Told once a second at most. */
  'history:dropped': [{ database: string; rows: DroppedRows; total: DroppedRows }]
  /** A record was left out, or a job is not recorded, because no table can take it. */
  'history:refused': [{ database: string | undefined; jobName: string | undefined; reason: string }]
  /** An attempt to write has failed; the same is tried again. */
  'history:failed': [{ database: string; error: unknown; inARow: number }]
  /** After failures, something was written again. */
  'history:recovered': [{ database: string; failures: number }]
  /** What was beyond the limits of retention has been deleted, by this process. */
  'history:cleaned': [{ database: string; result: RetentionResult }]
}
