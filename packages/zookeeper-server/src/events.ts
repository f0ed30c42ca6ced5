import type { DataDirectoryEvents } from './persistence/events.ts'

/** The events of a running server. */
export interface ServerEvents extends Pick<
  DataDirectoryEvents,
  'snapshot:taken' | 'snapshot:failed'
> {
  /** The server closed a connection before it read anything from it. */
  'connection:refused': [{ readonly address: string; readonly reason: string }]
  /** The server closed a connection because of what its client did. */
  'connection:dropped': [{ readonly address: string; readonly reason: string }]
  /** A connection ended, by either side. */
  'connection:closed': [{ readonly address: string; readonly sessionId: bigint }]
  'session:created': [{ readonly sessionId: bigint; readonly timeout: number }]
  /** A client attached to an existing session. */
  'session:attached': [{ readonly sessionId: bigint }]
  /** A session ended, and its ephemeral nodes were deleted. */
  'session:closed': [{ readonly sessionId: bigint; readonly isExpired: boolean }]
  /** The server rejected a write: the tree is full, or a quota is used up. Emitted at most once a minute. */
  'quota:exceeded': [
    {
      readonly sessionId: bigint
      readonly bytes: number
      readonly maxDataBytes: number
      readonly nodes: number
      readonly maxNodes: number
    },
  ]
  /** The server cannot continue: its log failed, or it hit a bug. It is closing. */
  'server:failed': [{ readonly error: Error }]
}
