import { childOf, toText, ZooKeeper } from '@elasticjob/zookeeper'

/** Whoever operates holds a lease while they are connected, and keeps it: that changes no job. */
const lease = /\.state\/lease\/operator-/u

/** Every node of the registry with its data and how often it was written, to see that nothing was. */
export async function readTree(servers: string): Promise<ReadonlyMap<string, string>> {
  await using registry = await ZooKeeper.connect({ servers })
  const nodes = new Map<string, string>()
  const visit = async (path: string): Promise<void> => {
    const { data, stat } = await registry.get(path)
    nodes.set(path, `${stat.version} ${toText(data)}`)
    const { children } = await registry.children(path)
    for (const child of children.map((name) => childOf(path, name))) {
      if (!lease.test(child)) await visit(child)
    }
  }
  await visit('/')
  return nodes
}
