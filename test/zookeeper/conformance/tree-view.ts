import {
  childOf,
  isZooKeeperError,
  type NodeContent,
  toText,
  type TreeCache,
  type ZooKeeper,
} from '@elasticjob/zookeeper'

/** What two views of a node have to agree on. */
export interface NodeView {
  readonly data: string
  readonly version: number
  readonly czxid: bigint
  readonly mzxid: bigint
}

/** A subtree by its paths. An object, so that a comparison that fails shows what differs. */
export type TreeView = Record<string, NodeView>

export function nodeView({ data, stat }: NodeContent): NodeView {
  const { version, czxid, mzxid } = stat
  return { data: toText(data), version, czxid, mzxid }
}

/** The subtree as the server has it; nobody may change it meanwhile. */
export async function serverView(zk: ZooKeeper, root: string): Promise<TreeView> {
  await zk.sync(root)
  const view: TreeView = {}
  const visit = async (path: string): Promise<void> => {
    view[path] = nodeView(await zk.get(path))
    const { children } = await zk.children(path)
    await Promise.all(children.map((name) => visit(childOf(path, name))))
  }
  await visit(root).catch((error: unknown) => {
    if (!isZooKeeperError(error, 'ZK_NO_NODE')) throw error
  })
  return view
}

export function cacheView(cache: TreeCache): TreeView {
  const view: TreeView = {}
  for (const path of cache.paths()) view[path] = nodeView(cache.get(path) as NodeContent)
  return view
}
