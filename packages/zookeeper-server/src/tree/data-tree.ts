import type { Acl } from '@elasticjob/zookeeper/protocol'
import { AclTable, openAcl, readOnlyAcl } from '../acl/acl-table.ts'
import type { NodeChange, SnapshotNode } from '../transaction.ts'
import { TreeNode } from './node.ts'
import { noOwner, ownerKind } from './owner.ts'
import { baseName, parentPath } from './path.ts'
import { QuotaBook, quotaRoot } from './quota.ts'

export const systemRoot = '/zookeeper'
export const configPath = '/zookeeper/config'

/** Who is told what became of the tree, with the list that says who may know of it. */
export interface TreeObserver {
  created(path: string, acl: readonly Acl[], parentAcl: readonly Acl[]): void
  deleted(path: string, acl: readonly Acl[], parentAcl: readonly Acl[]): void
  dataChanged(path: string, acl: readonly Acl[]): void
}

const emptyData = new Uint8Array(0)
const none: ReadonlySet<string> = new Set()

/**
 * The nodes, by path. It changes only by `apply`, which trusts that the change was found possible,
 * and which leaves alone what the tree already holds: so a log may be applied to a snapshot that
 * was taken while its transactions went on.
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
  /** The highest zxid of the creation of a node that came with a snapshot. */
  #newestLoaded = -1

  constructor(observer: TreeObserver) {
    this.#observer = observer
    this.#setRoot(new TreeNode(emptyData, openAcl, noOwner, 0, 0))
    this.#addSystemNode(systemRoot, openAcl)
    this.#addSystemNode(quotaRoot, openAcl)
    this.#addSystemNode(configPath, readOnlyAcl).aclVersion = -1
  }

  /** The number of nodes as ZooKeeper counts them: the root is there under two names. */
  get nodeCount(): number {
    return this.#nodes.size
  }

  /** The bytes of all paths and data. */
  get dataSize(): number {
    return this.#dataSize
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

  /** The ephemeral nodes of a session. */
  ephemeralsOf(sessionId: bigint): ReadonlySet<string> {
    return this.#ephemerals.get(sessionId) ?? none
  }

  /** The ephemeral nodes of all sessions that have any. */
  get ephemerals(): ReadonlyMap<bigint, ReadonlySet<string>> {
    return this.#ephemerals
  }

  /** The number of nodes below this one, at any depth. */
  countDescendants(path: string): number {
    let count = -1
    this.walk(path, () => count++)
    return count
  }

  /** Whether this much more would break a hard limit that somebody set on the subtree. */
  exceedsQuota(path: string, bytes: number, count: number): boolean {
    return this.#quotas.exceeds(path, bytes, count)
  }

  /**
   * Applies changes that are one transaction. A node that the transaction has made and that is here
   * before it is applied came with a snapshot, and is as the whole transaction left it: a change
   * before the last of its path would take it back to what it was in between.
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

  /** Puts a node of a snapshot in its place; what was there under that path is replaced. */
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

  /** Counts anew what quotas count: a snapshot taken while things changed may have it wrong. */
  recount(): void {
    this.#quotas.recount(this.#nodes.keys())
  }

  /** Visits a node and all below it. Without recursion: a tree may be deeper than the stack. */
  walk(path: string, visit: (node: TreeNode) => void): void {
    const waiting = [path === '/' ? '' : path]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const node = this.#nodes.get(at)
      if (node === undefined) continue
      visit(node)
      for (const name of node.children ?? none) waiting.push(`${at}/${name}`)
    }
  }

  /** Puts other data in place of a node's without a transaction of its own. */
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

  /** Notes a creation or deletion in the parent. None is answered if the parent came later. */
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
    // Cutting off the last part of `/a` leaves nothing: the root answers to that as well.
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

  /** Takes a node out of every index but the map of nodes and its parent's children. */
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
