import type { TornTail } from './log-reader.ts'
import type { WrittenSnapshot } from './snapshot-file.ts'

/** What happens to a data directory besides being written to. */
export interface DataDirectoryEvents {
  /** A lock of a server that runs no more was taken over. */
  'lock:inherited': [{ readonly pid: number }]
  /** The end of the log, which a crash had left unfinished, was cut off. Nobody had been told of it. */
  'log:cut': [TornTail]
  /** A snapshot was damaged. It was renamed; an older one and the log gave the same state. */
  'snapshot:set-aside': [
    { readonly file: string; readonly renamedTo: string; readonly error: Error },
  ]
  /** A snapshot was taken, and what it made dispensable is gone. */
  'snapshot:taken': [WrittenSnapshot]
  /**
   * A snapshot could not be taken, or what it made dispensable not be removed. The log goes on; the
   * next attempt is made when a snapshot is due again.
   */
  'snapshot:failed': [{ readonly error: Error }]
}
