/** How much of what has been told was written, and how much was not. */

/** Rows by the table that they are, or would have been, in. */
export interface RowCounts {
  /** Runs, complete: those that have begun and not ended are not among them. */
  readonly executions: number
  readonly statuses: number
  /** Pieces of logs. */
  readonly logs: number
  /** Runs of dead instances to be closed. */
  readonly lost: number
}

/** What was not written because the queue was full, or the recorder closed. */
export interface DroppedRows extends RowCounts {
  /** Ends of runs whose beginning is in the database: those rows stay open. */
  readonly ends: number
}

export interface RecorderFigures {
  /** What waits to be written, and what is being written. */
  readonly queued: { readonly entries: number; readonly bytes: number }
  readonly written: RowCounts
  readonly dropped: DroppedRows
  /** Records that no table could take: a job name that is too long. */
  readonly refused: number
  readonly batches: number
  /** Attempts to write that have failed, in a row and in all. */
  readonly failures: { readonly inARow: number; readonly total: number }
  readonly lastError: unknown
  /** When something was written last, in milliseconds; undefined if nothing ever was. */
  readonly lastWrittenAt: number | undefined
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export const noRows: RowCounts = Object.freeze({ executions: 0, statuses: 0, logs: 0, lost: 0 })
export const noDrops: DroppedRows = Object.freeze({ ...noRows, ends: 0 })
