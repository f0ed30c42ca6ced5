import type { ZooKeeperError } from './errors.ts'

/** The events of a client, each with one payload. */
export interface ZooKeeperEvents {
  /**
   * The requested session timeout is too short for a lease; the client requests a longer one. Emitted by
   * `connect()` before any other event.
   */
  'session:timeout-raised': [{ requested: number; timeout: number; reason: string }]
  /** The first session exists. */
  'session:connected': [{ sessionId: bigint; timeout: number; server: string }]
  /** The connection is lost. Whether the session still lives is unknown. */
  'session:suspended': [{ sessionId: bigint; reason: ZooKeeperError }]
  /** The connection is back and the session survived. */
  'session:reconnected': [{ sessionId: bigint; timeout: number; server: string }]
  /**
   * The client heard nothing for the whole timeout, or the server reported the expiry: do not rely on the
   * session any more.
   */
  'session:lost': [{ sessionId: bigint }]
  /**
   * The session is gone, together with its ephemeral nodes. `servers-behind`: the servers refused this client
   * because it has seen newer transactions than they have, as after a loss of their data, and accepted it
   * without that information. Servers in an election at that moment look the same.
   */
  'session:expired': [{ sessionId: bigint; reason: 'expired' | 'servers-behind' }]
  /** A new session replaced an expired one and took over its watches. */
  'session:renewed': [
    { sessionId: bigint; formerSessionId: bigint; timeout: number; server: string },
  ]
  /** The client is closed, on request or because of the error. */
  'session:closed': [{ error: ZooKeeperError | undefined }]
  /** A held lease ended: everything that depends on the session must stop. */
  'lease:ended': [{ sessionId: bigint }]
  /** A write proved the session again. */
  'lease:regained': [{ sessionId: bigint }]
}

export type EmitEvent = <Name extends keyof ZooKeeperEvents>(
  name: Name,
  ...payload: ZooKeeperEvents[Name]
) => void

/** The state of a session. */
export type SessionState = 'connecting' | 'connected' | 'suspended' | 'lost' | 'closed'
