/** Reads a tree of nodes level by level: one request for each level, and a few more for wide levels. */
import { descending } from '../../job-tree/job-view.ts'
import { childOf } from '../../node-path.ts'
import {
  type NodeWithChildren,
  readNodesWithChildren,
  type ReadParts,
} from '../../registry/read-nodes.ts'
import { toText } from '../../registry/transaction.ts'

export interface TreeNode {
  readonly path: string
  readonly text: string
  readonly version: number
}

/** The node and its descendants, parents first, siblings in Java's order; empty if the node does not exist. */
export async function readTree(readParts: ReadParts, root: string): Promise<TreeNode[]> {
  const nodes = new Map<string, NodeWithChildren>()
  for (let level: readonly string[] = [root]; level.length > 0;) {
    const found = await readNodesWithChildren(readParts, level)
    for (const [path, node] of found) nodes.set(path, node)
    level = [...found].flatMap(([path, { children }]) =>
      children.map((name) => childOf(path, name)),
    )
  }
  return [...inOrder(nodes, root)]
}

function* inOrder(nodes: ReadonlyMap<string, NodeWithChildren>, path: string): Generator<TreeNode> {
  const node = nodes.get(path)
  // The node was deleted after its parent was read.
  if (node === undefined) return
  yield { path, text: toText(node.data), version: node.stat.version }
  for (const name of node.children.toSorted(descending)) yield* inOrder(nodes, childOf(path, name))
}
