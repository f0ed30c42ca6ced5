import type { ConnectionOptions } from 'node:tls'

import type { Duration } from './duration.ts'

/** A user and the password that proves it. */
interface SaslCredentials {
  readonly username: string
  readonly password: string
}

/** Node's TLS options, except those that name the target. */
type TlsOptions = Omit<ConnectionOptions, 'host' | 'port' | 'path' | 'socket'>

/** How to reach the registry: Java's names, where Java has one. */
export interface RegistryOptions {
  /**
   * The ZooKeeper servers: `host:port,host:port`, or a list of such.
   * @default none: there is no registry to be found by chance
   */
  readonly servers?: string | readonly string[] | undefined
  /**
   * Java's name for `servers`. Give one of the two.
   * @default none
   */
  readonly serverLists?: string | undefined
  /** The name of the node below which the jobs stand. Instances share jobs if they share it. */
  readonly namespace: string
  /**
   * How long to wait before the first attempt to reconnect.
   * @default 1000
   */
  readonly baseSleepTimeMilliseconds?: number | undefined
  /**
   * How long to wait at most between attempts to reconnect.
   * @default 3000
   */
  readonly maxSleepTimeMilliseconds?: number | undefined
  /**
   * How often a request that a lost connection left without an answer is made again before it is
   * given up. Reconnecting itself is never given up.
   * @default 3
   */
  readonly maxRetries?: number | undefined
  /**
   * After how long without a sign of life the registry takes an instance for dead. 0 is the default.
   * Java's is 60000, which is also how long a crash goes unnoticed there.
   * @default 15000
   */
  readonly sessionTimeoutMilliseconds?: number | undefined
  /**
   * How long `connect()` may take. 0 is the default.
   * @default 15000
   */
  readonly connectionTimeoutMilliseconds?: number | undefined
  /**
   * A user of the registry, `name:password`. What it creates is then for it alone; all instances of a
   * namespace have to have the same.
   * @default none: everybody may change everything
   */
  readonly digest?: string | undefined
  /**
   * A user to prove to be by SASL (DIGEST-MD5), `{ username, password }`, where the servers ask for one.
   * What is created stays open to everybody, as Java's clients have it, unless there is a digest, too.
   * @default none
   */
  readonly sasl?: SaslCredentials | undefined
  /**
   * Connect with TLS: true, or Node's options for it, such as `ca`, `cert` and `key`.
   * @default false
   */
  readonly tls?: TlsOptions | boolean | undefined
  /**
   * The servers' own `tickTime`. The lease of an instance allows for it.
   * @default '2s'
   */
  readonly serverTickTime?: Duration | undefined
  /**
   * How long running shards get to stop when the registry has been out of reach for too long.
   * @default '1s'
   */
  readonly abortTime?: Duration | undefined
  /**
   * A `.properties` file whose keys are paths below the namespace, such as `/sync-orders/offset/0`. An
   * instance that connects puts into the registry what is missing there, and what is empty.
   * @default none
   */
  readonly localPropertiesPath?: string | undefined
  /**
   * Whether the values of that file replace those that the registry has. Elastic-Job 1.x calls it `overwrite`.
   * @default false
   */
  readonly localPropertiesOverwrite?: boolean | undefined
}

/** What holds for every option that is left out. */
export const registryDefaults: Readonly<Omit<ResolvedRegistryOptions, 'servers' | 'namespace'>> =
  Object.freeze({
    baseSleepTimeMilliseconds: 1000,
    maxSleepTimeMilliseconds: 3000,
    maxRetries: 3,
    sessionTimeoutMilliseconds: 15_000,
    connectionTimeoutMilliseconds: 15_000,
    digest: undefined,
    sasl: undefined,
    tls: undefined,
    serverTickTime: 2000,
    abortTime: 1000,
    localPropertiesPath: undefined,
    localPropertiesOverwrite: false,
  })

/** How to reach the registry, with nothing left out. */
export interface ResolvedRegistryOptions {
  readonly servers: string
  readonly namespace: string
  readonly baseSleepTimeMilliseconds: number
  readonly maxSleepTimeMilliseconds: number
  readonly maxRetries: number
  readonly sessionTimeoutMilliseconds: number
  readonly connectionTimeoutMilliseconds: number
  readonly digest: string | undefined
  readonly sasl: SaslCredentials | undefined
  readonly tls: TlsOptions | undefined
  readonly serverTickTime: number
  readonly abortTime: number
  readonly localPropertiesPath: string | undefined
  readonly localPropertiesOverwrite: boolean
}
