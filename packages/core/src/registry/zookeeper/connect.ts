/** Connects to ZooKeeper, with errors that say what to do. */
import {
  creatorAcl,
  isZooKeeperError,
  openAcl,
  type Transport,
  ZooKeeper,
} from '@elasticjob/zookeeper'

import type { Clock } from '../../clock.ts'
import type { ResolvedRegistryOptions } from '../../config/registry-options.ts'
import { ElasticJobError } from '../../errors.ts'
import type { Random } from '../../random.ts'
import { secretMask } from '../../secrets.ts'
import { isRegistryError } from '../registry-error.ts'
import { asRegistryError } from './registry-errors.ts'
import { ZooKeeperRegistry } from './zookeeper-registry.ts'

/** The clock, random source and transport to use; the machine's own unless a simulation replaces them. */
export interface Environment {
  readonly clock?: Clock
  readonly random?: Random
  readonly transport?: Transport
}

/** A session timeout that had to be raised, and why. */
export interface RaisedTimeout {
  readonly requested: number
  readonly timeout: number
  readonly reason: string
}

export async function connectZooKeeper(
  options: ResolvedRegistryOptions,
  environment: Environment,
  timeoutRaised: (raised: RaisedTimeout) => void,
): Promise<ZooKeeperRegistry> {
  const { digest, sasl, tls } = options
  try {
    const client = new ZooKeeper({
      servers: options.servers,
      sessionTimeout: options.sessionTimeoutMilliseconds,
      connectTimeout: options.connectionTimeoutMilliseconds,
      reconnect: {
        initialDelay: options.baseSleepTimeMilliseconds,
        maxDelay: options.maxSleepTimeMilliseconds,
      },
      lease: { serverTickTime: options.serverTickTime, abortTime: options.abortTime },
      ...(digest === undefined ? {} : { auth: [{ scheme: 'digest', auth: digest }] }),
      ...(sasl === undefined ? {} : { sasl }),
      ...(tls === undefined ? {} : { tls }),
      ...environment,
    })
    client.on('session:timeout-raised', timeoutRaised)
    // With a digest, created nodes belong to its user alone, as in Java; SASL alone does not change the ACL.
    const acl = digest === undefined ? openAcl : creatorAcl
    return new ZooKeeperRegistry(await client.connect(), acl, (error) => refusalOf(error, options))
  } catch (error) {
    if (!isZooKeeperError(error, 'ZK_CONNECT_FAILED')) {
      throw refusalOf(asRegistryError(error), options)
    }
    throw new ElasticJobError(
      'JOB_REGISTRY_UNREACHABLE',
      [
        `no ZooKeeper server of "${shown(options.servers)}" could be reached: ${error.message}`,
        'If there is none yet, start the embedded one of @elasticjob/zookeeper-server, for development, tests or a single machine:',
        "  import { startServer } from '@elasticjob/zookeeper-server'",
        '  const server = await startServer({ port: 2181 })',
      ].join('\n'),
      asRegistryError(error),
    )
  }
}

/**
 * Turns an error about an identity that the servers, or the ACLs of the namespace, refuse into one that says what to
 * do.
 */
function refusalOf(error: unknown, options: ResolvedRegistryOptions): unknown {
  const { servers, namespace, digest, sasl } = options
  const proven = [digest === undefined ? '' : 'the option digest', sasl === undefined ? '' : 'sasl']
  const identity = proven.filter((name) => name !== '').join(' and ')
  if (isRegistryError(error, 'REGISTRY_AUTH_FAILED')) {
    return new ElasticJobError(
      'JOB_REGISTRY_REFUSED',
      `ZooKeeper at "${shown(servers)}" refuses the identity of ${identity || 'this process'} (${error.message}). ` +
        'Check the name and the password, and that the servers know this way of authentication',
      error,
    )
  }
  if (!isRegistryError(error, 'REGISTRY_NO_AUTH')) return error
  const whose =
    identity === ''
      ? 'pass the option digest ("name:password") that the namespace was created with'
      : `the namespace was created with another identity than ${identity} gives: pass that one`
  return new ElasticJobError(
    'JOB_REGISTRY_REFUSED',
    `ZooKeeper at "${shown(servers)}" does not allow this process to use ${error.path ?? `/${namespace}`} (NO_AUTH): ` +
      `${whose}, or have the ACLs of /${namespace} and /${namespace}.state changed`,
    error,
  )
}

/** A list with an "@" contains a password in the place of a server name or path. */
function shown(servers: string): string {
  return servers.includes('@') ? secretMask : servers
}
