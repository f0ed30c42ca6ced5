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

/** The options of `ZooKeeper.connect()`. */
export interface ZooKeeperOptions {
  /**
   * The servers, `host:port,host:port`, or a list of such strings, tried in random order. A path after the
   * last server (`host:port/app`) becomes the chroot of all paths.
   */
  readonly servers: string | readonly string[]
  /**
   * The session timeout to request, in milliseconds. The server negotiates it within its own bounds.
   * @default 15000
   */
  readonly sessionTimeout?: number
  /**
   * How long `connect()` waits for the first session, in milliseconds. Infinity waits forever.
   * @default 10000
   */
  readonly connectTimeout?: number
  /**
   * How long a request may take, in milliseconds, including time without a connection.
   * @default 30000
   */
  readonly requestTimeout?: number
  /**
   * Whether a request made without a connection waits for one or fails at once.
   * @default 'wait'
   */
  readonly whileDisconnected?: 'wait' | 'fail'
  /**
   * The maximum number of unanswered requests; further requests are rejected.
   * @default 100000
   */
  readonly maxOutstanding?: number
  /**
   * The largest accepted reply, in bytes. A larger reply closes the connection.
   * @default 67108864 (64 MiB)
   */
  readonly maxFrameBytes?: number
  /**
   * The largest request that is sent, in bytes. Must match the servers' `jute.maxbuffer`.
   * @default 1048575
   */
  readonly maxRequestBytes?: number
  /**
   * The maximum total size of the session's ephemeral paths, in bytes; a create beyond it is rejected.
   * @default 524288 (512 kB)
   */
  readonly ephemeralBytesLimit?: number
  /**
   * The delays between rounds of reconnect attempts, in milliseconds.
   * @default { initialDelay: 50, maxDelay: 2000 }
   */
  readonly reconnect?: Partial<BackoffOptions>
  /**
   * The lease options. When given, a session timeout too short for a lease is raised (with a warning), and a
   * timeout that a server lowers below that is refused.
   * @default { serverTickTime: 2000, abortTime: 1000 }, without raising or refusing
   */
  readonly lease?: LeaseOptions
  /**
   * Identities to authenticate as on every connection, before any other request.
   * @default []
   */
  readonly auth?: readonly { readonly scheme: string; readonly auth: Data }[]
  /** The user to authenticate as with SASL DIGEST-MD5. */
  readonly sasl?: SaslCredentials
  /** Connects with TLS. Takes Node's options, such as `ca`, `cert` and `key`. */
  readonly tls?: TlsOptions
  /** The source of time. @default the system clock */
  readonly clock?: Clock
  /** The source of randomness. @default the system's */
  readonly random?: Random
  /** How the client opens connections. @default sockets */
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

/** The default of every option. */
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

/** Fills in defaults and rejects invalid values. */
export function resolveOptions(options: ZooKeeperOptions): ResolvedOptions {
  const { hosts, chroot } = parseConnectString(options.servers)
  const lease = { ...leaseDefaults, ...options.lease }
  const settings = { ...zooKeeperDefaults, ...withoutUndefined(options) }
  const session: SessionOptions = {
    hosts,
    sessionTimeout: settings.sessionTimeout,
    raisedFrom: undefined,
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

/** A client that uses the lease gets a session timeout long enough for one. */
function raisedForLease(session: SessionOptions): SessionOptions {
  const shortest = shortestTimeout(session.lease)
  if (!session.leaseRequired || session.sessionTimeout >= shortest) return session
  return { ...session, sessionTimeout: shortest, raisedFrom: session.sessionTimeout }
}
