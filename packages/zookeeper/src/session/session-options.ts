import type { Clock } from '../clock.ts'
import type { Transport } from '../connection/transport.ts'
import type { AuthRequest } from '../jute/session-operations.ts'
import type { Random } from '../random.ts'
import type { BackoffOptions } from './backoff.ts'
import type { Host } from './host-list.ts'
import type { LeaseOptions } from './lease.ts'
import type { SaslCredentials } from './sasl-digest-md5.ts'

/** Everything a session needs to know, with nothing left open. */
export interface SessionOptions {
  readonly hosts: readonly Host[]
  readonly sessionTimeout: number
  readonly connectTimeout: number
  readonly requestTimeout: number
  readonly whileDisconnected: 'wait' | 'fail'
  readonly maxOutstanding: number
  readonly maxFrameBytes: number
  readonly maxRequestBytes: number
  readonly ephemeralBytesLimit: number
  readonly reconnect: BackoffOptions
  readonly lease: Required<LeaseOptions>
  /** Whether a session whose lease is not tenable is refused. */
  readonly leaseRequired: boolean
  readonly auth: readonly AuthRequest[]
  readonly sasl: SaslCredentials | undefined
  readonly clock: Clock
  readonly random: Random
  readonly transport: Transport
}
