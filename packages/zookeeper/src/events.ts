import type { ZooKeeperError } from './errors.ts'

/** What a client tells about its session, each with one payload. */
export interface ZooKeeperEvents {
  /** The first session exists. */
  'session:connected': [{ sessionId: bigint; timeout: number; server: string }]
  /** The connection is gone. The session may live or not: nobody here can know. */
  'session:suspended': [{ sessionId: bigint; reason: ZooKeeperError }]
  /** The connection is back and the session has lived all along. */
  'session:reconnected': [{ sessionId: bigint; timeout: number; server: string }]
  /** Nothing was heard for the whole timeout, or the server said so: count on the session no more. */
  'session:lost': [{ sessionId: bigint }]
  /**
   * The session is gone for good, and its ephemeral nodes with it. `servers-behind`: every server
   * knows less than this client has seen (their data was lost), so that none would take it back.
   */
  'session:expired': [{ sessionId: bigint; reason: 'expired' | 'servers-behind' }]
  /** A new session has taken the place of one that expired; watches were carried over. */
  'session:renewed': [
    { sessionId: bigint; formerSessionId: bigint; timeout: number; server: string },
  ]
  /** The client is closed: on request, or because of the error. */
  'session:closed': [{ error: ZooKeeperError | undefined }]
  /** A held lease is over: whatever depends on the session must stop. */
  'lease:ended': [{ sessionId: bigint }]
  /** A write has proven the session again. */
  'lease:regained': [{ sessionId: bigint }]
}

/** Emits one of a client's events. */
export type EmitEvent = <Name extends keyof ZooKeeperEvents>(
  name: Name,
  ...payload: ZooKeeperEvents[Name]
) => void

/** Where a client stands. */
export type SessionState = 'connecting' | 'connected' | 'suspended' | 'lost' | 'closed'
