import { type Clock, type Random, systemClock, systemRandom } from '@elasticjob/zookeeper'
import { defaultMaxBuffer } from '@elasticjob/zookeeper/protocol'
import type { TlsOptions as NodeTlsOptions } from 'node:tls'
import type { CoreOptions } from './core-options.ts'
import type { DataDirectoryOptions } from './persistence/options.ts'

/** Limits of a server. */
export interface Limits {
  /**
   * The largest accepted frame, in bytes. The server closes the connection of a client that announces a
   * larger one.
   * @default 1048575, as Apache ZooKeeper
   */
  readonly maxPacketSize?: number
  /**
   * The maximum number of connections. A further one is closed before anything is read from it.
   * @default 10000
   */
  readonly maxConnections?: number
  /**
   * The maximum number of connections from one IP address. A further one is closed before anything is read
   * from it.
   * @default Infinity: all clients on loopback share one address
   */
  readonly maxConnectionsPerAddress?: number
  /**
   * How long a client may take to request a session, in milliseconds. The server closes the connection after
   * that.
   * @default 10000
   */
  readonly handshakeTimeout?: number
  /**
   * The maximum number of unsent bytes for a client that does not read. The server closes the connection
   * beyond it; well before that, it stops reading requests from the client.
   * @default 64 MiB
   */
  readonly maxUnsentBytes?: number
}

export type ResolvedLimits = Required<Limits>

/** The defaults of `Limits`. */
export const limitDefaults: Readonly<ResolvedLimits> = Object.freeze({
  maxPacketSize: defaultMaxBuffer,
  maxConnections: 10_000,
  maxConnectionsPerAddress: Infinity,
  handshakeTimeout: 10_000,
  maxUnsentBytes: 64 * 1024 * 1024,
})

/** Options of a server. */
export interface ServerOptions extends CoreOptions, DataDirectoryOptions, Limits {
  /**
   * The directory that stores the state, used by this server only; created if it is missing.
   * @default none: the state is in memory only
   */
  readonly dataDir?: string
  /**
   * The port to listen on; 0 selects any free port.
   * @default 2181
   */
  readonly port?: number
  /**
   * The address to listen on. A ZooKeeper server has no password: every client that reaches it may write any
   * node that no ACL protects.
   * @default '127.0.0.1'
   */
  readonly host?: string
  /**
   * Key and certificate, as in Node's `tls.createServer`: clients then have to use TLS. With `requestCert`
   * and `ca`, only clients with a certificate of that authority are accepted.
   * @default none: no TLS
   */
  readonly tls?: NodeTlsOptions
  /**
   * The enabled four-letter words; `*` enables all. The others reveal the connections and their watches.
   * @default ['ruok', 'srvr', 'isro']
   */
  readonly fourLetterWords?: readonly string[]
  /**
   * The source of time.
   * @default the system clock
   */
  readonly clock?: Clock
  /**
   * The source of session passwords.
   * @default the system's randomness
   */
  readonly random?: Random
}

export type ResolvedServerOptions = ResolvedLimits &
  Required<Pick<ServerOptions, 'port' | 'host' | 'fourLetterWords' | 'clock' | 'random'>>

/** The defaults of `ServerOptions`. */
export const serverDefaults: Readonly<ResolvedServerOptions> = Object.freeze({
  ...limitDefaults,
  port: 2181,
  host: '127.0.0.1',
  fourLetterWords: Object.freeze(['ruok', 'srvr', 'isro']),
  clock: systemClock,
  random: systemRandom,
})

export function resolveServerOptions(options: ServerOptions): ResolvedServerOptions {
  const defaults = serverDefaults
  return {
    port: options.port ?? defaults.port,
    host: options.host ?? defaults.host,
    fourLetterWords: options.fourLetterWords ?? defaults.fourLetterWords,
    clock: options.clock ?? defaults.clock,
    random: options.random ?? defaults.random,
    maxPacketSize: options.maxPacketSize ?? defaults.maxPacketSize,
    maxConnections: options.maxConnections ?? defaults.maxConnections,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress ?? defaults.maxConnectionsPerAddress,
    handshakeTimeout: options.handshakeTimeout ?? defaults.handshakeTimeout,
    maxUnsentBytes: options.maxUnsentBytes ?? defaults.maxUnsentBytes,
  }
}
