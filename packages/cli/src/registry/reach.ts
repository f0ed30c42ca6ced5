/** Explains why the registry is unreachable. */
import { isElasticJobError, type RegistryOptions } from '@elasticjob/core'

import { CommandError } from '../errors.ts'
import { duration } from '../output/moments.ts'

/** Connects, or reports the addresses, the timeout, and what to do. */
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
        '  - Check the address in --servers, $ELASTICJOB_SERVERS or elasticjob.yaml.',
        '  - Check that the server runs. `elasticjob zookeeper` starts one on this machine.',
        '  - If the server is slow, increase --timeout.',
      ].join('\n'),
      error,
    )
  }
}
