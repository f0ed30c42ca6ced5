import { SeededRandom } from '@elasticjob/zookeeper/testing'

import { Operations, type OperationsOptions } from '../../src/operations.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'

/** An operator at a machine of his own. */
export function operatorAt(
  cluster: SimulatedCluster,
  options: Partial<OperationsOptions> = {},
  ip = '10.0.9.1',
): Promise<Operations> {
  return cluster.until(
    Operations.connect({
      servers: cluster.server.connectString,
      namespace: cluster.namespace,
      hostNameOf: () => Promise.resolve(undefined),
      ...options,
      environment: {
        clock: cluster.clock,
        random: new SeededRandom(ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)),
        transport: cluster.network.transport(ip),
        ...options.environment,
      },
    }),
  )
}

/** Every path of the registry that belongs to a job, or to anything that was left of one. */
export async function pathsLeft(cluster: SimulatedCluster, jobName: string): Promise<string[]> {
  const client = await cluster.client('10.0.9.8')
  const found: string[] = []
  const walk = async (path: string): Promise<void> => {
    const { children } = await cluster.until(client.children(path))
    for (const name of children) {
      const child = path === '/' ? `/${name}` : `${path}/${name}`
      if (child.split('/').includes(jobName)) found.push(child)
      await walk(child)
    }
  }
  await walk('/')
  return found
}
