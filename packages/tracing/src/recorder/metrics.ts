/** How many records were written, queued, dropped and refused. */

/** Rows by table. */
export interface RowCounts {
  /** Completed runs; runs in progress are not included. */
  readonly executions: number
  readonly statuses: number
  /** Log chunks. */
  readonly logs: number
  /** Runs of dead instances to close. */
  readonly lost: number
}

/** Rows that were not written because the queue was full or the recorder was closed. */
export interface DroppedRows extends RowCounts {
  /** Ends of runs whose start is in the database: those rows stay open. */
  readonly ends: number
}

/** The metrics of a recorder. */
export interface RecorderMetrics {
  /** Entries that wait or are being written. */
  readonly queued: { readonly entries: number; readonly bytes: number }
  readonly written: RowCounts
  readonly dropped: DroppedRows
  /** Records that no table can store, for example because of a too long job name. */
  readonly refused: number
  readonly batches: number
  /** Failed writes, in a row and in total. */
  readonly failures: { readonly inARow: number; readonly total: number }
  readonly lastError: unknown
  /** When the last write succeeded, in milliseconds; undefined if none has. */
  readonly lastWrittenAt: number | undefined
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export const noRows: RowCounts = Object.freeze({ executions: 0, statuses: 0, logs: 0, lost: 0 })
export const noDrops: DroppedRows = Object.freeze({ ...noRows, ends: 0 })

/** Adds the metrics of two recorders of one database. */
export function addMetrics(
  one: RecorderMetrics,
  other: RecorderMetrics | undefined,
): RecorderMetrics {
  if (other === undefined) return one
  return {
    queued: addCounts(one.queued, other.queued),
    written: addCounts(one.written, other.written),
    dropped: addCounts(one.dropped, other.dropped),
    refused: one.refused + other.refused,
    batches: one.batches + other.batches,
    failures: addCounts(one.failures, other.failures),
    lastError: one.lastError ?? other.lastError,
    lastWrittenAt: one.lastWrittenAt ?? other.lastWrittenAt,
  }
}

function addCounts<T extends Readonly<Record<keyof T, number>>>(one: T, other: T): T {
  const keys = Object.keys(one) as (keyof T)[]
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as T
}
