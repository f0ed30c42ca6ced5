/** The events of a recording: `noun:verb`, one payload each. */
import type { DroppedRows } from './recorder/metrics.ts'
import type { RetentionResult } from './store/history-store.ts'

/** The events of a recording; docs/events.md describes each. */
export interface TracingEvents {
  /**
   * The queue was full, or the recording ended: the oldest records were dropped. Emitted at most once a
   * second.
   */
  'history:dropped': [{ database: string; rows: DroppedRows; total: DroppedRows }]
  /**
   * A record was skipped because no table can store it, or a job is not recorded where its configuration
   * says.
   */
  'history:refused': [{ database: string | undefined; jobName: string | undefined; reason: string }]
  /** A write failed; it is retried. */
  'history:failed': [{ database: string; error: unknown; inARow: number }]
  /** A write succeeded after failures. */
  'history:recovered': [{ database: string; failures: number }]
  /** This process deleted records beyond the retention limits. */
  'history:cleaned': [{ database: string; result: RetentionResult }]
}
