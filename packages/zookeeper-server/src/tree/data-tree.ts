import type { Acl } from '@elasticjob/zookeeper/protocol'
import { AclTable, openAcl, readOnlyAcl } from '../acl/acl-table.ts'
import type { NodeChange, SnapshotNode } from '../transaction.ts'
import { TreeNode } from './node.ts'
import { noOwner, ownerKind } from './owner.ts'
import { baseName, parentPath } from './path.ts'
import { QuotaBook, quotaRoot } from './quota.ts'

export const systemRoot = '/zookeeper'
export const configPath = '/zookeeper/config'

/** Receives the changes of the tree, with the ACL of the changed node. */
export interface TreeObserver {
  created(path: string, acl: readonly Acl[], parentAcl: readonly Acl[]): void
  deleted(path: string, acl: readonly Acl[], parentAcl: readonly Acl[]): void
  dataChanged(path: string, acl: readonly Acl[]): void
}

const emptyData = new Uint8Array(0)
const none: ReadonlySet<string> = new Set()

/**
 * The nodes, by path. Changes only through `apply`, which trusts that the change was validated and ignores
 * changes that the tree already contains: so a log can be applied to a snapshot that was taken while its
 * transactions were running.
 */
export class DataTree {
  readonly #nodes = new Map<string, TreeNode>()
  readonly #acls = new AclTable()
  readonly #quotas: QuotaBook = new QuotaBook(this)
  readonly #ephemerals = new Map<bigint, Set<string>>()
  readonly #containers = new Set<string>()
  readonly #ttls = new Set<string>()
  readonly #observer: TreeObserver
  #dataSize = 0
  #ephemeralCount = 0
  /** The highest creation zxid of a node from a snapshot. */
  #newestLoaded = -1

  constructor(observer: TreeObserver) {
    this.#observer = observer
    this.#setRoot(new TreeNode(emptyData, openAcl, noOwner, 0, 0))
    this.#addSystemNode(systemRoot, openAcl)
    this.#addSystemNode(quotaRoot, openAcl)
    this.#addSystemNode(configPath, readOnlyAcl).aclVersion = -1
  }

  /** The number of nodes as ZooKeeper counts them: the root counts twice. */
  get nodeCount(): number {
    return this.#nodes.size
  }

  /** The total size of paths and data, in bytes. */
  get dataSize(): number {
    return this.#dataSize
  }

  /** The size that counts towards the server's limit: paths, data and ACLs, in bytes. */
  get usedBytes(): number {
    return this.#dataSize + this.#acls.bytes
  }

  aclGrowth(acl: readonly Acl[]): number {
    return this.#acls.growth(acl)
  }

  get ephemeralCount(): number {
    return this.#ephemeralCount
  }

  get containers(): ReadonlySet<string> {
    return this.#containers
  }

  get ttls(): ReadonlySet<string> {
    return this.#ttls
  }

  get(path: string): TreeNode | undefined {
    return this.#nodes.get(path)
  }

  ephemeralsOf(sessionId: bigint): ReadonlySet<string> {
    return this.#ephemerals.get(sessionId) ?? none
  }

  /** The ephemeral nodes by session. */
  get ephemerals(): ReadonlyMap<bigint, ReadonlySet<string>> {
    return this.#ephemerals
  }

  /** The number of nodes below this one, at any depth. */
  countDescendants(path: string): number {
    let count = -1
    this.walk(path, () => count++)
    return count
  }

  /** Whether this growth would exceed a hard limit of a quota on the subtree. */
  exceedsQuota(path: string, bytes: number, count: number): boolean {
    return this.#quotas.exceeds(path, bytes, count)
  }

  /**
   * Applies the changes of one transaction. A node that the transaction creates and that already exists came
   * with a snapshot, in the state after the whole transaction: an earlier change of the same path would
   * revert it to an intermediate state.
   */
  applyAll(
    changes: readonly NodeChange[],
    zxid: number,
    time: number,
    applied?: (change: NodeChange) => void,
  ): void {
    const held = zxid > this.#newestLoaded ? undefined : this.#madeBy(changes, zxid)
    for (const change of changes) {
      if (held?.has(change.path) === true) this.#changedBelow(change, zxid)
      else this.apply(change, zxid, time)
      applied?.(change)
    }
  }

  apply(change: NodeChange, zxid: number, time: number): void {
    switch (change.kind) {
      case 'create':
        return this.#create(change, zxid, time)
      case 'delete':
        return this.#delete(change, zxid)
      case 'setData':
        return this.#setData(change.path, change.data, change.version, zxid, time)
      case 'setAcl':
        return this.#setAcl(change.path, change.acl, change.version, zxid)
    }
  }

  /** All nodes, parents first. The tree may change between two steps. */
  *snapshot(): Generator<SnapshotNode> {
    for (const [path, node] of this.#nodes) {
      if (path === '') continue
      const { data, acl, owner, czxid, mzxid, pzxid, ctime, mtime, version, aclVersion } = node
      const { creations } = node
      yield {
        path,
        data,
        acl,
        owner,
        czxid,
        mzxid,
        pzxid,
        ctime,
        mtime,
        version,
        aclVersion,
        creations,
      }
    }
  }

  /** Stores a node of a snapshot, and replaces an existing node of that path. */
  load(from: SnapshotNode): void {
    const node = new TreeNode(
      from.data,
      this.#acls.retain(from.acl),
      from.owner,
      from.czxid,
      from.ctime,
    )
    node.mzxid = from.mzxid
    node.pzxid = from.pzxid
    node.mtime = from.mtime
    node.version = from.version
    node.aclVersion = from.aclVersion
    node.creations = from.creations
    this.#newestLoaded = Math.max(this.#newestLoaded, from.czxid)
    const replaced = this.#nodes.get(from.path)
    if (replaced !== undefined) {
      this.#forget(from.path, replaced)
      node.children = replaced.children
    }
    if (from.path === '/') return this.#setRoot(node)
    const parent = this.#nodes.get(parentPath(from.path))
    if (parent === undefined) throw new Error(`a node without its parent: ${from.path}`)
    this.#link(from.path, node, parent)
  }

  /** Recounts the usage of quotas: a snapshot taken during changes may be inconsistent. */
  recount(): void {
    this.#quotas.recount(this.#nodes.keys())
  }

  /** Visits a node and everything below it. Without recursion: a tree may be deeper than the stack. */
  walk(path: string, visit: (node: TreeNode) => void): void {
    const waiting = [path === '/' ? '' : path]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const node = this.#nodes.get(at)
      if (node === undefined) continue
      visit(node)
      for (const name of node.children ?? none) waiting.push(`${at}/${name}`)
    }
  }

  /** Replaces a node's data without a transaction. */
  replaceData(node: TreeNode, data: Uint8Array): void {
    this.#dataSize += data.length - node.dataLength
    node.data = data
  }

  #create(change: NodeChange & { kind: 'create' }, zxid: number, time: number): void {
    const { path } = change
    const parent = this.#changedBelow(change, zxid)
    if (parent === undefined) return
    const existing = this.#nodes.get(path)
    if (existing !== undefined) {
      if (existing.czxid >= zxid) return
      this.#forget(path, existing)
    }
    const acl = this.#acls.retain(change.acl)
    this.#link(path, new TreeNode(change.data, acl, change.owner, zxid, time), parent)
    this.#quotas.created(path, change.data?.length ?? 0)
    this.#observer.created(path, acl, parent.acl)
  }

  #delete(change: NodeChange & { kind: 'delete' }, zxid: number): void {
    const { path } = change
    this.#changedBelow(change, zxid)
    const parent = this.#nodes.get(parentPath(path))
    const node = this.#nodes.get(path)
    if (parent === undefined || node === undefined || node.czxid > zxid) return
    parent.children?.delete(baseName(path))
    this.#forget(path, node)
    this.#nodes.delete(path)
    this.#quotas.deleted(path, node.dataLength)
    this.#observer.deleted(path, node.acl, parent.acl)
  }

  /** Records a creation or deletion in the parent. Returns undefined if the parent is newer. */
  #changedBelow(change: NodeChange, zxid: number): TreeNode | undefined {
    if (change.kind !== 'create' && change.kind !== 'delete') return undefined
    const parent = this.#nodes.get(parentPath(change.path))
    if (parent === undefined || parent.czxid > zxid) return undefined
    parent.pzxid = Math.max(parent.pzxid, zxid)
    if (change.kind === 'create') {
      parent.creations = Math.max(parent.creations, change.parentCreations)
    }
    return parent
  }

  #madeBy(changes: readonly NodeChange[], zxid: number): ReadonlySet<string> {
    const paths = changes.map(({ path }) => path)
    return new Set(paths.filter((path) => this.#nodes.get(path)?.czxid === zxid))
  }

  #setData(
    path: string,
    data: Uint8Array | null,
    version: number,
    zxid: number,
    time: number,
  ): void {
    const node = this.#nodes.get(path)
    if (node === undefined || node.mzxid > zxid) return
    const growth = (data?.length ?? 0) - node.dataLength
    node.data = data
    node.version = version
    node.mzxid = zxid
    node.mtime = time
    this.#dataSize += growth
    this.#quotas.resized(path, growth)
    this.#observer.dataChanged(path, node.acl)
  }

  #setAcl(path: string, acl: readonly Acl[], version: number, zxid: number): void {
    const node = this.#nodes.get(path)
    if (node === undefined || node.czxid > zxid || node.aclVersion > version) return
    const previous = node.acl
    node.acl = this.#acls.retain(acl)
    node.aclVersion = version
    this.#acls.release(previous)
  }

  #setRoot(root: TreeNode): void {
    // The parent path of `/a` is the empty string, so the root is also stored under it.
    this.#nodes.set('', root)
    this.#nodes.set('/', root)
    this.#dataSize += '/'.length + root.dataLength
  }

  #addSystemNode(path: string, acl: readonly Acl[]): TreeNode {
    const node = new TreeNode(emptyData, this.#acls.retain(acl), noOwner, 0, 0)
    const parent = this.#nodes.get(parentPath(path)) as TreeNode
    this.#link(path, node, parent)
    return node
  }

  #link(path: string, node: TreeNode, parent: TreeNode): void {
    parent.children ??= new Set()
    parent.children.add(baseName(path))
    this.#nodes.set(path, node)
    this.#dataSize += path.length + node.dataLength
    if (node.owner === noOwner) return
    switch (ownerKind(node.owner)) {
      case 'container':
        this.#containers.add(path)
        break
      case 'ttl':
        this.#ttls.add(path)
        break
      default: {
        const paths = this.#ephemerals.get(node.owner)
        if (paths === undefined) this.#ephemerals.set(node.owner, new Set([path]))
        else paths.add(path)
        this.#ephemeralCount++
      }
    }
  }

  /** Removes a node from every index except the map of nodes and its parent's children. */
  #forget(path: string, node: TreeNode): void {
    this.#dataSize -= path.length + node.dataLength
    this.#acls.release(node.acl)
    if (node.owner === noOwner) return
    this.#containers.delete(path)
    this.#ttls.delete(path)
    const paths = this.#ephemerals.get(node.owner)
    if (paths === undefined) return
    paths.delete(path)
    this.#ephemeralCount--
    if (paths.size === 0) this.#ephemerals.delete(node.owner)
  }
}
