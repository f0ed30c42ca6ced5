/** What is said when there is no registry where one should be. */
import { isElasticJobError, type RegistryOptions } from '@elasticjob/core'

import { CommandError } from '../errors.ts'
import { duration } from '../output/moments.ts'

/** Connects, or says which address was tried, for how long, and what to do. */
export async function reachable<T>(
  { servers, serverLists, connectionTimeoutMilliseconds }: Partial<RegistryOptions>,
  connect: () => Promise<T>,
): Promise<T> {
  try {
    return await connect()
  } catch (error) {
    const tried = servers ?? serverLists
    if (tried === undefined || !isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    const limit =
      connectionTimeoutMilliseconds === undefined
        ? ''
        : ` within ${duration(connectionTimeoutMilliseconds)}`
    throw new CommandError(
      'CLI_REGISTRY_UNREACHABLE',
      [
        `no registry: none of the ZooKeeper servers ${String(tried)} could be reached${limit}.`,
        `  ${reason}`,
        'What to do:',
        '  - is the address right? --servers, $ELASTICJOB_SERVERS or elasticjob.yaml name it',
        '  - is the server running? `elasticjob zookeeper` starts one on this machine',
        '  - is it slow or far away? --timeout gives it more seconds',
      ].join('\n'),
      error,
    )
  }
}
