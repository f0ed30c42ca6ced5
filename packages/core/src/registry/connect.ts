/** From options to a client that is connected, with errors that say what to do. */
import {
  type Acl,
  creatorAcl,
  isZooKeeperError,
  openAcl,
  type Transport,
  ZooKeeper,
} from '@elasticjob/zookeeper'

import type { Clock } from '../clock.ts'
import type { ResolvedRegistryOptions } from '../config/registry-options.ts'
import { ElasticJobError } from '../errors.ts'
import type { Random } from '../random.ts'

/** Where time, chance and connections come from; the machine's unless a simulation says otherwise. */
export interface Environment {
  readonly clock?: Clock
  readonly random?: Random
  readonly transport?: Transport
}

export async function connect(
  options: ResolvedRegistryOptions,
  environment: Environment,
): Promise<ZooKeeper> {
  const { digest, sasl, tls } = options
  try {
    return await ZooKeeper.connect({
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
  } catch (error) {
    if (!isZooKeeperError(error, 'ZK_CONNECT_FAILED')) throw error
    throw new ElasticJobError(
      'JOB_REGISTRY_UNREACHABLE',
      [
        `no ZooKeeper server of "${options.servers}" could be reached: ${error.message}`,
        'If there is none yet, start the embedded one of @elasticjob/zookeeper-server, for development, tests or a single machine:',
        "  import { startServer } from '@elasticjob/zookeeper-server'",
        '  const server = await startServer({ port: 2181 })',
      ].join('\n'),
      error,
    )
  }
}

/** With a digest, what is created is its user's alone, as Java does it; a user by SASL alone changes nothing. */
export function aclOf({ digest }: ResolvedRegistryOptions): readonly Acl[] {
  return digest === undefined ? openAcl : creatorAcl
}
