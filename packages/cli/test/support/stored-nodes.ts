/** The nodes of a cluster as another program may have written them. */
import { isZooKeeperError, toText, ZooKeeper } from '@elasticjob/zookeeper'
import { onTestFinished } from 'vitest'

import { namespace, type TestCluster } from './cluster.ts'

/** Nodes that hold the state of a job, and a text for each that cannot be read. */
export const unreadableNodes: readonly (readonly [
  kind: string,
  pathOf: (jobName: string) => string,
  junk: string,
])[] = [
  ['job state', (jobName) => `/${namespace}.state/jobs/${jobName}`, '{'],
  ['assignment', (jobName) => `/${namespace}/${jobName}/leader/sharding`, 'junk'],
  ['shard state', (jobName) => `/${namespace}.state/execution/${jobName}/0`, '{"state":"walking"}'],
  ['configuration', (jobName) => `/${namespace}/${jobName}/config`, 'jobName: ['],
]

export function nodeOf(kind: string, jobName: string): string {
  const [, pathOf] = unreadableNodes.find(([name]) => name === kind) ?? []
  if (pathOf === undefined) throw new Error(`no such node: ${kind}`)
  return pathOf(jobName)
}

/** Writes texts into nodes; when the test ends, the nodes are as they were before. */
export async function overwriteNodes(
  { server }: TestCluster,
  nodes: Readonly<Record<string, string>>,
): Promise<ZooKeeper> {
  const client = await ZooKeeper.connect({ servers: server.connectString })
  const undo: (() => Promise<unknown>)[] = []
  onTestFinished(async () => {
    for (const one of undo.toReversed()) await one()
    await client.close()
  })
  for (const [path, text] of Object.entries(nodes)) {
    try {
      const { data } = await client.get(path)
      await client.set(path, text)
      undo.push(() => client.set(path, data))
    } catch (error) {
      if (!isZooKeeperError(error, 'ZK_NO_NODE')) throw error
      await client.create(path, text, { parents: true })
      undo.push(() => client.delete(path))
    }
  }
  return client
}

export async function textOf(client: ZooKeeper, path: string): Promise<string> {
  return toText((await client.get(path)).data)
}
