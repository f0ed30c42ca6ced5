import type { NodeChange } from '../transaction.ts'
import type { NodeView } from '../tree/node.ts'
import { parentPath } from '../tree/path.ts'

/** The tree as the writes being decided on see it. */
export interface TreeView {
  get(path: string): NodeView | undefined
  exceedsQuota(path: string, bytes: number, count: number): boolean
}

/**
 * The tree as it will be after the first parts of a multi. They are decided on one after the other,
 * each as if those before had happened; only when all are possible does anything happen.
 */
export class PendingView implements TreeView {
  readonly #tree: TreeView
  readonly #changed = new Map<string, NodeView | undefined>()

  constructor(tree: TreeView) {
    this.#tree = tree
  }

  get(path: string): NodeView | undefined {
    const key = keyOf(path)
    return this.#changed.has(key) ? this.#changed.get(key) : this.#tree.get(key)
  }

  exceedsQuota(path: string, bytes: number, count: number): boolean {
    return this.#tree.exceedsQuota(path, bytes, count)
  }

  /** Takes a change as done, for those that follow. */
  record(change: NodeChange): void {
    switch (change.kind) {
      case 'create':
        this.#changed.set(change.path, {
          acl: change.acl,
          owner: change.owner,
          version: 0,
          aclVersion: 0,
          creations: 0,
          childCount: 0,
          dataLength: change.data?.length ?? 0,
        })
        return this.#update(parentPath(change.path), (parent) => ({
          creations: change.parentCreations,
          childCount: parent.childCount + 1,
        }))
      case 'delete':
        this.#changed.set(change.path, undefined)
        return this.#update(parentPath(change.path), (parent) => ({
          childCount: parent.childCount - 1,
        }))
      case 'setData':
        return this.#update(change.path, () => ({
          version: change.version,
          dataLength: change.data?.length ?? 0,
        }))
      case 'setAcl':
        return this.#update(change.path, () => ({ acl: change.acl, aclVersion: change.version }))
    }
  }

  #update(path: string, difference: (node: NodeView) => Partial<NodeView>): void {
    const node = this.get(path)
    if (node === undefined) return
    const { acl, owner, version, aclVersion, creations, childCount, dataLength } = node
    this.#changed.set(keyOf(path), {
      acl,
      owner,
      version,
      aclVersion,
      creations,
      childCount,
      dataLength,
      ...difference(node),
    })
  }
}

/** The root has two names. */
function keyOf(path: string): string {
  return path === '' ? '/' : path
}
