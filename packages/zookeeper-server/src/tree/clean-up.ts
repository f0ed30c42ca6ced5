import type { DataTree } from './data-tree.ts'
import { ttlOf } from './owner.ts'

/**
 * The nodes to delete: containers that have lost their last child (a container that never had one may be
 * waiting for its first), and childless nodes past their TTL.
 */
export function expiredNodes(tree: DataTree, now: number): string[] {
  const expired: string[] = []
  for (const path of tree.containers) {
    const node = tree.get(path)
    if (node !== undefined && node.childCount === 0 && node.creations > 0) expired.push(path)
  }
  for (const path of tree.ttls) {
    const node = tree.get(path)
    if (node !== undefined && node.childCount === 0 && now - node.mtime > ttlOf(node.owner)) {
      expired.push(path)
    }
  }
  return expired
}
