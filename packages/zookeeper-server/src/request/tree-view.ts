import type { Acl } from '@elasticjob/zookeeper/protocol'
import type { NodeChange } from '../transaction.ts'
import type { NodeView } from '../tree/node.ts'
import { parentPath } from '../tree/path.ts'

/** The tree as seen by the write that is being checked. */
export interface TreeView {
  get(path: string): NodeView | undefined
  exceedsQuota(path: string, bytes: number, count: number): boolean
  /** The total size of paths, data and ACLs, in bytes. */
  readonly usedBytes: number
  readonly nodeCount: number
  /** How many bytes another use of this ACL adds: none if a node already has it. */
  aclGrowth(acl: readonly Acl[]): number
}

/**
 * The tree after the first parts of a multi. The parts are checked in order, each as if those before had been
 * applied; they are applied only when all are valid.
 */
export class PendingView implements TreeView {
  readonly #tree: TreeView
  readonly #changed = new Map<string, NodeView | undefined>()
  #addedBytes = 0
  #addedNodes = 0

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

  get usedBytes(): number {
    return this.#tree.usedBytes + this.#addedBytes
  }

  get nodeCount(): number {
    return this.#tree.nodeCount + this.#addedNodes
  }

  aclGrowth(acl: readonly Acl[]): number {
    return this.#tree.aclGrowth(acl)
  }

  /** Applies a change to the view, for the parts that follow. */
  record(change: NodeChange): void {
    switch (change.kind) {
      case 'create':
        this.#addedNodes++
        this.#addedBytes +=
          change.path.length + (change.data?.length ?? 0) + this.aclGrowth(change.acl)
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
        this.#addedNodes--
        this.#addedBytes -= change.path.length + (this.get(change.path)?.dataLength ?? 0)
        this.#changed.set(change.path, undefined)
        return this.#update(parentPath(change.path), (parent) => ({
          childCount: parent.childCount - 1,
        }))
      case 'setData':
        this.#addedBytes += (change.data?.length ?? 0) - (this.get(change.path)?.dataLength ?? 0)
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

/** The root has two paths. */
function keyOf(path: string): string {
  return path === '' ? '/' : path
}
