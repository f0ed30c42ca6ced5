import type { DataLoss } from './data-loss.ts'
import type { TornTail } from './log-reader.ts'
import type { WrittenSnapshot } from './snapshot-file.ts'

/** The events of a data directory. */
export interface DataDirectoryEvents {
  /** The server took over the lock of a process that does not run any more. */
  'lock:inherited': [{ readonly pid: number }]
  /** The end of the log was an incomplete record, as a crash during a write leaves it, and was truncated. */
  'log:cut': [TornTail]
  /** The log is damaged. With `acceptDataLoss` the server started with the state before the damage. */
  'data:lost': [DataLoss]
  /** A snapshot was damaged and renamed; an older snapshot and the log gave the same state. */
  'snapshot:set-aside': [
    { readonly file: string; readonly renamedTo: string; readonly error: Error },
  ]
  /** A snapshot was taken, and the files it makes obsolete were removed. */
  'snapshot:taken': [WrittenSnapshot]
  /**
   * A snapshot could not be taken, or obsolete files could not be removed. The log continues; the next
   * attempt follows when a snapshot is due again.
   */
  'snapshot:failed': [{ readonly error: Error }]
}
