import type { NodeContent } from '../client.ts'
import type { Stat } from '../jute/records.ts'
import { childOf, nameOf, parentOf } from '../paths.ts'
import { PackedContent, type Zxids } from './packed-content.ts'

interface StoredNode {
  handle: number
  /** Undefined without children: most nodes are leaves, and an empty map is not small. */
  children: Map<string, StoredNode> | undefined
}

/** The effect of `put`. */
export type PutOutcome = 'created' | 'changed' | 'unchanged' | 'orphaned'

/** A subtree in memory: names in a tree of maps, content packed. */
export class TreeStore {
  readonly #root: string
  #content = new PackedContent()
  #top: StoredNode | undefined
  #size = 0

  constructor(root: string) {
    this.#root = root
  }

  get size(): number {
    return this.#size
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined
  }

  get(path: string): NodeContent | undefined {
    const node = this.#find(path)
    return node === undefined ? undefined : this.#content.get(node.handle)
  }

  stat(path: string): Stat | undefined {
    const node = this.#find(path)
    return node === undefined ? undefined : this.#content.stat(node.handle)
  }

  /** The zxids of a node's stat, as of the last read. */
  zxids(path: string): Zxids | undefined {
    const node = this.#find(path)
    return node === undefined ? undefined : this.#content.zxids(node.handle)
  }

  children(path: string): string[] | undefined {
    const node = this.#find(path)
    return node === undefined ? undefined : [...(node.children?.keys() ?? [])]
  }

  /**
   * Stores the content of a node. `unchanged` means the same data; `orphaned` means that the parent is absent
   * and nothing was stored.
   */
  put(path: string, { data, stat }: NodeContent): PutOutcome {
    const node = this.#find(path)
    if (node === undefined) return this.#add(path, data, stat)
    const before = this.#content.zxids(node.handle)
    const unchanged = before.mzxid === stat.mzxid
    if (unchanged && before.pzxid === stat.pzxid) return 'unchanged'
    this.#content.free(node.handle)
    node.handle = this.#content.put(data, stat)
    if (this.#content.isWasteful) this.#compact()
    return unchanged ? 'unchanged' : 'changed'
  }

  /** Removes a subtree and returns its paths, children before parents. */
  remove(path: string): string[] {
    const node = this.#find(path)
    if (node === undefined) return []
    const removed: string[] = []
    this.#release(path, node, removed)
    if (path === this.#root) {
      this.#top = undefined
    } else {
      const parent = this.#find(parentOf(path))
      parent?.children?.delete(nameOf(path))
      if (parent?.children?.size === 0) parent.children = undefined
    }
    this.#size -= removed.length
    if (this.#content.isWasteful) this.#compact()
    return removed
  }

  /** Returns all paths, parents before children. */
  *paths(): Generator<string> {
    if (this.#top !== undefined) yield* walk(this.#root, this.#top)
  }

  #add(path: string, data: Uint8Array, stat: Stat): PutOutcome {
    const parent = path === this.#root ? undefined : this.#find(parentOf(path))
    if (parent === undefined && path !== this.#root) return 'orphaned'
    const node: StoredNode = { handle: this.#content.put(data, stat), children: undefined }
    if (parent === undefined) this.#top = node
    else (parent.children ??= new Map()).set(nameOf(path), node)
    this.#size++
    return 'created'
  }

  #find(path: string): StoredNode | undefined {
    let node = this.#top
    let from = this.#root === '/' ? 1 : this.#root.length + 1
    while (node !== undefined && from < path.length) {
      const slash = path.indexOf('/', from)
      const to = slash === -1 ? path.length : slash
      node = node.children?.get(path.slice(from, to))
      from = to + 1
    }
    return node
  }

  #release(path: string, node: StoredNode, removed: string[]): void {
    for (const [name, child] of node.children ?? []) {
      this.#release(childOf(path, name), child, removed)
    }
    this.#content.free(node.handle)
    removed.push(path)
  }

  /** Copies the remaining content into new pages. */
  #compact(): void {
    const packed = new PackedContent()
    const move = (node: StoredNode): void => {
      const { data, stat } = this.#content.get(node.handle)
      node.handle = packed.put(data, stat)
      for (const child of node.children?.values() ?? []) move(child)
    }
    if (this.#top !== undefined) move(this.#top)
    this.#content = packed
  }
}

function* walk(path: string, node: StoredNode): Generator<string> {
  yield path
  for (const [name, child] of node.children ?? []) yield* walk(childOf(path, name), child)
}
