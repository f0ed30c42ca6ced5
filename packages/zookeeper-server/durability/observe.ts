import { childOf, type Stat, toText, type ZooKeeper } from '@elasticjob/zookeeper'

export interface ObservedNode {
  readonly data: string
  readonly stat: Stat
}

/** All nodes below and including this one, as stored by the server. */
export async function observe(client: ZooKeeper, root: string): Promise<Map<string, ObservedNode>> {
  const nodes = new Map<string, ObservedNode>()
  let level = [root]
  while (level.length > 0) {
    const found = await Promise.all(
      level.map(async (path) => {
        const [{ data, stat }, { children }] = await Promise.all([
          client.get(path),
          client.children(path),
        ])
        nodes.set(path, { data: toText(data), stat })
        return children.map((name) => childOf(path, name))
      }),
    )
    level = found.flat()
  }
  return nodes
}
