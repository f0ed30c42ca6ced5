import { type Clock, type Random, systemClock, systemRandom } from '@elasticjob/zookeeper'
import { defaultMaxBuffer } from '@elasticjob/zookeeper/protocol'
import type { TlsOptions as NodeTlsOptions } from 'node:tls'
import type { CoreOptions } from './core-options.ts'
import type { DataDirectoryOptions } from './persistence/options.ts'

/** How much a server puts up with. */
export interface Limits {
  /**
   * The longest frame that is taken, in bytes. A client that announces a longer one loses its
   * connection.
   * @default 1048575, as the real server
   */
  readonly maxPacketSize?: number
  /**
   * The most connections at a time. A further one is closed before anything is read from it.
   * @default 10000
   */
  readonly maxConnections?: number
  /**
   * The most connections at a time from one IP address. A further one is closed before anything is
   * read from it.
   * @default Infinity: a server on loopback has only one address to talk to
   */
  readonly maxConnectionsPerAddress?: number
  /**
   * How long a client may take to ask for a session, in milliseconds. One that takes longer loses
   * its connection.
   * @default 10000
   */
  readonly handshakeTimeout?: number
  /**
   * The most bytes that may wait for a client that does not read them. One that lets more gather
   * loses its connection; well before that, no further requests are taken from it.
   * @default 64 MiB
   */
  readonly maxUnsentBytes?: number
}

export type ResolvedLimits = Required<Limits>

export const limitDefaults: Readonly<ResolvedLimits> = Object.freeze({
  maxPacketSize: defaultMaxBuffer,
  maxConnections: 10_000,
  maxConnectionsPerAddress: Infinity,
  handshakeTimeout: 10_000,
  maxUnsentBytes: 64 * 1024 * 1024,
})

/** What a server can be told. */
export interface ServerOptions extends CoreOptions, DataDirectoryOptions, Limits {
  /**
   * A directory of its own in which the server keeps its state; it is made if it is missing.
   * @default none: the state ends with the server
   */
  readonly dataDir?: string
  /**
   * The port to listen on; 0 for any that is free.
   * @default 2181
   */
  readonly port?: number
  /**
   * The address to listen on. There is no password on a ZooKeeper server: whoever reaches it may
   * write whatever no ACL protects.
   * @default '127.0.0.1'
   */
  readonly host?: string
  /**
   * Key and certificate, as Node's `tls.createServer` takes them: clients then have to speak TLS.
   * With `requestCert` and `ca`, only clients with a certificate of that authority are let in.
   * @default none: no TLS
   */
  readonly tls?: NodeTlsOptions
  /**
   * The four-letter words that are answered; `*` stands for all. The others tell who is connected
   * and what they watch.
   * @default ['ruok', 'srvr', 'isro']
   */
  readonly fourLetterWords?: readonly string[]
  /**
   * Where the time comes from.
   * @default the machine's clock
   */
  readonly clock?: Clock
  /**
   * Where the passwords of sessions come from.
   * @default the machine's randomness
   */
  readonly random?: Random
}

export type ResolvedServerOptions = ResolvedLimits &
  Required<Pick<ServerOptions, 'port' | 'host' | 'fourLetterWords' | 'clock' | 'random'>>

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
