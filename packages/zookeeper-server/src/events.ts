import type { DataDirectoryEvents } from './persistence/events.ts'

/** What a running server tells. */
export interface ServerEvents extends Pick<
  DataDirectoryEvents,
  'snapshot:taken' | 'snapshot:failed'
> {
  /** A client was turned away before anything was read from it. */
  'connection:refused': [{ readonly address: string; readonly reason: string }]
  /** A connection was ended because its client did what cannot be tolerated. */
  'connection:dropped': [{ readonly address: string; readonly reason: string }]
  /** A connection is over, by either side. */
  'connection:closed': [{ readonly address: string; readonly sessionId: bigint }]
  /** A client has opened a session. */
  'session:created': [{ readonly sessionId: bigint; readonly timeout: number }]
  /** A client is connected to a session that already was. */
  'session:attached': [{ readonly sessionId: bigint }]
  /** A session has ended, and with it its ephemeral nodes. */
  'session:closed': [{ readonly sessionId: bigint; readonly isExpired: boolean }]
  /** The server cannot go on: its log has failed, or it met a defect of its own. It is closing. */
  'server:failed': [{ readonly error: Error }]
}
