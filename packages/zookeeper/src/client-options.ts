import { type Clock, systemClock } from './clock.ts'
import { networkTransport, type TlsOptions, type Transport } from './connection/transport.ts'
import { type Data, toBytes } from './data.ts'
import { ZooKeeperError } from './errors.ts'
import { defaultMaxBuffer } from './jute/op-codes.ts'
import { type Random, systemRandom } from './random.ts'
import type { BackoffOptions } from './session/backoff.ts'
import { parseConnectString } from './session/host-list.ts'
import { leaseDefaults, type LeaseOptions, shortestTimeout } from './session/lease.ts'
import type { SaslCredentials } from './session/sasl-digest-md5.ts'
import type { SessionOptions } from './session/session-options.ts'

/** How to reach the servers, and how to behave towards them. */
export interface ZooKeeperOptions {
  /**
   * The servers, `host:port,host:port`, or a list of such. They are tried in an order of chance. A
   * path behind the last one (`host:port/app`) becomes the root of all paths.
   */
  readonly servers: string | readonly string[]
  /**
   * The session timeout to ask for, in milliseconds; the server settles on one within its own bounds.
   * @default 15000
   */
  readonly sessionTimeout?: number
  /**
   * How long `connect()` may take until the first session exists, in milliseconds. Infinity waits.
   * @default 10000
   */
  readonly connectTimeout?: number
  /**
   * How long a request may take, in milliseconds, the time without a connection included.
   * @default 30000
   */
  readonly requestTimeout?: number
  /**
   * What becomes of requests made without a connection: they wait for one, or fail at once.
   * @default 'wait'
   */
  readonly whileDisconnected?: 'wait' | 'fail'
  /**
   * How many requests may be without an answer at a time; a further one is refused.
   * @default 100000
   */
  readonly maxOutstanding?: number
  /**
   * The largest reply that is accepted, in bytes; a larger one costs the connection.
   * @default 67108864 (64 MiB)
   */
  readonly maxFrameBytes?: number
  /**
   * The largest request that is sent, in bytes: the servers' `jute.maxbuffer`.
   * @default 1048575
   */
  readonly maxRequestBytes?: number
  /**
   * How many bytes of ephemeral paths the session may hold; a create beyond it is refused.
   * @default 524288 (512 kB)
   */
  readonly ephemeralBytesLimit?: number
  /**
   * The delays between rounds of attempts to reconnect, in milliseconds.
   * @default { initialDelay: 50, maxDelay: 2000 }
   */
  readonly reconnect?: Partial<BackoffOptions>
  /**
   * The terms of the lease. When they are given, a session timeout too short for a lease is raised
   * (with a warning), and one that a server lowers below that is refused.
   * @default { serverTickTime: 2000, abortTime: 1000 }, without raising or refusing
   */
  readonly lease?: LeaseOptions
  /**
   * Identities to prove on every connection, before anything else is sent.
   * @default []
   */
  readonly auth?: readonly { readonly scheme: string; readonly auth: Data }[]
  /** A user to authenticate as by SASL DIGEST-MD5. */
  readonly sasl?: SaslCredentials
  /** Connect with TLS; Node's options, such as `ca`, `cert` and `key`. */
  readonly tls?: TlsOptions
  /** Where time comes from. @default the machine's */
  readonly clock?: Clock
  /** Where chance comes from. @default the machine's */
  readonly random?: Random
  /** How servers are reached. @default sockets */
  readonly transport?: Transport
}

type Defaulted =
  | 'sessionTimeout'
  | 'connectTimeout'
  | 'requestTimeout'
  | 'whileDisconnected'
  | 'maxOutstanding'
  | 'maxFrameBytes'
  | 'maxRequestBytes'
  | 'ephemeralBytesLimit'

/** What holds for every option that is left out. */
export const zooKeeperDefaults: Readonly<
  Required<Pick<ZooKeeperOptions, Defaulted>> & {
    reconnect: BackoffOptions
    lease: Required<LeaseOptions>
  }
> = Object.freeze({
  sessionTimeout: 15_000,
  connectTimeout: 10_000,
  requestTimeout: 30_000,
  whileDisconnected: 'wait',
  maxOutstanding: 100_000,
  maxFrameBytes: 64 * 1024 * 1024,
  maxRequestBytes: defaultMaxBuffer,
  ephemeralBytesLimit: 512 * 1024,
  reconnect: Object.freeze({ initialDelay: 50, maxDelay: 2000 }),
  lease: leaseDefaults,
})

export interface ResolvedOptions {
  readonly session: SessionOptions
  readonly chroot: string
}

/** Fills in what was left out and refuses what cannot be. */
export function resolveOptions(options: ZooKeeperOptions): ResolvedOptions {
  const { hosts, chroot } = parseConnectString(options.servers)
  const lease = { ...leaseDefaults, ...options.lease }
  const settings = { ...zooKeeperDefaults, ...withoutUndefined(options) }
  const session: SessionOptions = {
    hosts,
    sessionTimeout: settings.sessionTimeout,
    connectTimeout: settings.connectTimeout,
    requestTimeout: settings.requestTimeout,
    whileDisconnected: settings.whileDisconnected,
    maxOutstanding: settings.maxOutstanding,
    maxFrameBytes: settings.maxFrameBytes,
    maxRequestBytes: settings.maxRequestBytes,
    ephemeralBytesLimit: settings.ephemeralBytesLimit,
    reconnect: { ...zooKeeperDefaults.reconnect, ...options.reconnect },
    lease,
    leaseRequired: options.lease !== undefined,
    auth: (options.auth ?? []).map(({ scheme, auth }) => ({ scheme, auth: toBytes(auth) })),
    sasl: options.sasl,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    transport: options.transport ?? networkTransport(options.tls),
  }
  requirePositive(session)
  return { session: raisedForLease(session), chroot }
}

function withoutUndefined(options: ZooKeeperOptions): Partial<ZooKeeperOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function requirePositive(session: SessionOptions): void {
  const numbers = {
    sessionTimeout: session.sessionTimeout,
    connectTimeout: session.connectTimeout,
    requestTimeout: session.requestTimeout,
    maxOutstanding: session.maxOutstanding,
    maxFrameBytes: session.maxFrameBytes,
    maxRequestBytes: session.maxRequestBytes,
    ephemeralBytesLimit: session.ephemeralBytesLimit,
    'reconnect.initialDelay': session.reconnect.initialDelay,
    'reconnect.maxDelay': session.reconnect.maxDelay,
    'lease.serverTickTime': session.lease.serverTickTime,
    'lease.abortTime': session.lease.abortTime,
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === 'number' && value > 0) continue
    throw new ZooKeeperError(
      'ZK_INVALID_ARGUMENT',
      `${name} must be a positive number, not ${String(value)}`,
    )
  }
  if (session.sessionTimeout > 2 ** 31 - 1) {
    throw new ZooKeeperError(
      'ZK_INVALID_ARGUMENT',
      `sessionTimeout must be at most ${2 ** 31 - 1} ms, not ${session.sessionTimeout}`,
    )
  }
}

/** Who relies on the lease gets a session long enough for one. */
function raisedForLease(session: SessionOptions): SessionOptions {
  const shortest = shortestTimeout(session.lease)
  if (!session.leaseRequired || session.sessionTimeout >= shortest) return session
  process.emitWarning(
    `sessionTimeout ${session.sessionTimeout} ms is too short for a lease with serverTickTime ` +
      `${session.lease.serverTickTime} ms and abortTime ${session.lease.abortTime} ms; asking for ${shortest} ms`,
    { code: 'ZK_SESSION_TIMEOUT_RAISED' },
  )
  return { ...session, sessionTimeout: shortest }
}
