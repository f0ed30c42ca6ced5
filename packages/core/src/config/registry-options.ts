import type { ConnectionOptions } from 'node:tls'

import type { Duration } from './duration.ts'

/** A user name and its password. */
interface SaslCredentials {
  readonly username: string
  readonly password: string
}

/** Node's TLS options, except those that name the target. */
type TlsOptions = Omit<ConnectionOptions, 'host' | 'port' | 'path' | 'socket'>

/** The connection to the registry. Options have Java's names if Java has them. */
export interface RegistryOptions {
  /**
   * The ZooKeeper servers: `host:port,host:port`, or a list of such.
   * @default none: there is no default registry
   */
  readonly servers?: string | readonly string[] | undefined
  /**
   * Java's name for `servers`. Set only one of the two.
   * @default none
   */
  readonly serverLists?: string | undefined
  /** The name of the node that contains the jobs. Instances with the same namespace share its jobs. */
  readonly namespace: string
  /**
   * The delay before the first attempt to reconnect.
   * @default 1000
   */
  readonly baseSleepTimeMilliseconds?: number | undefined
  /**
   * The maximum delay between attempts to reconnect.
   * @default 3000
   */
  readonly maxSleepTimeMilliseconds?: number | undefined
  /**
   * How often a request is retried that a lost connection left without a response. Reconnecting itself never gives up.
   * @default 3
   */
  readonly maxRetries?: number | undefined
  /**
   * How long the registry waits without a heartbeat before it considers an instance dead. 0 means the default. Java's
   * default is 60000, so a crash stays undetected for that long there.
   * @default 15000
   */
  readonly sessionTimeoutMilliseconds?: number | undefined
  /**
   * How long `connect()` may take. 0 means the default.
   * @default 15000
   */
  readonly connectionTimeoutMilliseconds?: number | undefined
  /**
   * A user of the registry, `name:password`. The nodes that it creates are accessible to this user only, so all
   * instances of a namespace need the same user.
   * @default none: every client may change every node
   */
  readonly digest?: string | undefined
  /**
   * The user for SASL authentication (DIGEST-MD5), `{ username, password }`, if the servers require one. Created nodes
   * stay open to all clients, as with Java's clients, unless `digest` is set as well.
   * @default none
   */
  readonly sasl?: SaslCredentials | undefined
  /**
   * Connect with TLS: true, or Node's options for it, such as `ca`, `cert` and `key`.
   * @default false
   */
  readonly tls?: TlsOptions | boolean | undefined
  /**
   * The `tickTime` of the servers. The lease of an instance takes it into account.
   * @default '2s'
   */
  readonly serverTickTime?: Duration | undefined
  /**
   * How long running shards may take to stop when the registry has been unreachable for too long.
   * @default '1s'
   */
  readonly abortTime?: Duration | undefined
  /**
   * A `.properties` file whose keys are paths below the namespace, such as `/sync-orders/offset/0`. A connecting
   * instance writes the values of missing and empty nodes to the registry.
   * @default none
   */
  readonly localPropertiesPath?: string | undefined
  /**
   * Whether the values of that file replace the values in the registry. Elastic-Job 1.x calls it `overwrite`.
   * @default false
   */
  readonly localPropertiesOverwrite?: boolean | undefined
}

/** The defaults of the options. */
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

/** The options with all defaults filled in. */
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
