/** The whole tree of a namespace, as a client reads it that has nothing to do with the workers. */
import { isZooKeeperError, toText, type ZooKeeper } from '@elasticjob/zookeeper'

export interface TreeNode {
  readonly data: string
  readonly isEphemeral: boolean
}

export async function readTree(
  client: ZooKeeper,
  roots: readonly string[],
): Promise<Map<string, TreeNode>> {
  const nodes = new Map<string, TreeNode>()
  const visit = async (path: string): Promise<void> => {
    try {
      const { data, stat } = await client.get(path)
      const { children } = await client.children(path)
      nodes.set(path, { data: toText(data), isEphemeral: stat.ephemeralOwner !== 0n })
      await Promise.all(children.map((child) => visit(`${path}/${child}`)))
    } catch (error) {
      // It went while it was being read.
      if (!isZooKeeperError(error, 'ZK_NO_NODE')) throw error
    }
  }
  await Promise.all(roots.map(visit))
  return nodes
}
