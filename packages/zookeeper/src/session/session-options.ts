import type { Clock } from '../clock.ts'
import type { Transport } from '../connection/transport.ts'
import type { AuthRequest } from '../jute/session-operations.ts'
import type { Random } from '../random.ts'
import type { BackoffOptions } from './backoff.ts'
import type { Host } from './host-list.ts'
import type { LeaseOptions } from './lease.ts'
import type { SaslCredentials } from './sasl-digest-md5.ts'

/** Every setting of a session, with defaults filled in. */
export interface SessionOptions {
  readonly hosts: readonly Host[]
  readonly sessionTimeout: number
  /** The requested timeout, if it was too short for a lease and was raised. */
  readonly raisedFrom: number | undefined
  readonly connectTimeout: number
  readonly requestTimeout: number
  readonly whileDisconnected: 'wait' | 'fail'
  readonly maxOutstanding: number
  readonly maxFrameBytes: number
  readonly maxRequestBytes: number
  readonly ephemeralBytesLimit: number
  readonly reconnect: BackoffOptions
  readonly lease: Required<LeaseOptions>
  /** Whether a session without a tenable lease is refused. */
  readonly leaseRequired: boolean
  readonly auth: readonly AuthRequest[]
  readonly sasl: SaslCredentials | undefined
  readonly clock: Clock
  readonly random: Random
  readonly transport: Transport
}
