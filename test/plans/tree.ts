/**
 * As much of ZooKeeper as a plan can tell apart: nodes with versions and owners, and transactions that are
 * applied as a whole or refused. A tree never changes, so that a stale view is a reference to an older tree.
 */
import { toText, type TransactionPart } from '../../packages/core/src/registry/transaction.ts'

export interface TreeNode {
  readonly text: string
  readonly version: number
  readonly czxid: bigint
  readonly ctime: number
  readonly mtime: number
  /** The session that an ephemeral node goes with; undefined for a persistent one. */
  readonly session: string | undefined
  /** Two independent hashes of the node and its path. */
  readonly low: number
  readonly high: number
}

export type Refusal = 'NO_NODE' | 'NODE_EXISTS' | 'BAD_VERSION' | 'NOT_EMPTY'

let count = 0

export class Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>
  /** The order of transactions; two trees of equal content may differ in it. */
  readonly zxid: number
  /** Sums of the hashes of all nodes: equal for equal content, whatever led to it. */
  readonly low: number
  readonly high: number
  /** A number of its own, in the order in which trees were made. */
  readonly id: number
  /** What was derived from this tree: plans are pure, so each is made once. */
  readonly #derived = new Map<number | string, unknown>()
  readonly #applied = new Map<readonly TransactionPart[], Tree | Refusal>()

  constructor(nodes: ReadonlyMap<string, TreeNode>, zxid: number, low: number, high: number) {
    this.nodes = nodes
    this.id = count
    count += 1
    this.zxid = zxid
    this.low = low
    this.high = high
  }

  get(path: string): TreeNode | undefined {
    return this.nodes.get(path)
  }

  text(path: string): string | undefined {
    return this.nodes.get(path)?.text
  }

  isSame(other: Tree): boolean {
    return this === other || (this.low === other.low && this.high === other.high)
  }

  /** What `make` makes of this tree; `key` names everything else that it depends on. */
  derived<T>(key: number | string, make: () => T): T {
    const known = this.#derived.get(key)
    if (known !== undefined) return (known === none ? undefined : known) as T
    const made = make()
    this.#derived.set(key, made ?? none)
    return made
  }

  /** The same list of parts is always from the same session, at the same time. */
  apply(parts: readonly TransactionPart[], session: string, time: number): Tree | Refusal {
    let outcome = this.#applied.get(parts)
    if (outcome === undefined) {
      outcome = this.#apply(parts, session, time)
      this.#applied.set(parts, outcome)
    }
    return outcome
  }

  #apply(parts: readonly TransactionPart[], session: string, time: number): Tree | Refusal {
    const actionPlan = new ActionPlan(this, time)
    for (const part of parts) {
      const refusal = actionPlan.carryOut(part, session)
      if (refusal !== undefined) return refusal
    }
    return actionPlan.tree
  }

  /** A session has ended: its ephemeral nodes go with it. */
  expire(session: string, time: number): Tree {
    const actionPlan = new ActionPlan(this, time)
    for (const [path, node] of this.nodes) if (node.session === session) actionPlan.delete(path)
    return actionPlan.tree
  }
}

/** In the place of undefined, which is derived, too. */
const none = Symbol('none')

export const emptyTree: Tree = new Tree(new Map(), 0, 0, 0)

/** All trees by their content: equal trees are one. */
const known = new Map<number, Tree>()

/** Forgets all trees that are not in use. */
export function forgetTrees(): void {
  known.clear()
}

class ActionPlan {
  readonly #nodes: Map<string, TreeNode>
  readonly #time: number
  readonly #zxid: number
  #low: number
  #high: number

  constructor({ nodes, zxid, low, high }: Tree, time: number) {
    this.#nodes = new Map(nodes)
    this.#time = time
    this.#zxid = zxid + 1
    this.#low = low
    this.#high = high
  }

  get tree(): Tree {
    const key = (this.#low >>> 0) * 0x100000 + (this.#high >>> 12)
    let tree = known.get(key)
    if (tree === undefined) {
      tree = new Tree(this.#nodes, this.#zxid, this.#low, this.#high)
      known.set(key, tree)
    }
    return tree
  }

  carryOut(part: TransactionPart, session: string): Refusal | undefined {
    const node = this.#nodes.get(part.path)
    const time = this.#time
    if (part.type === 'create') {
      if (node !== undefined) return 'NODE_EXISTS'
      const parent = part.path.slice(0, part.path.lastIndexOf('/'))
      if (parent !== '' && !this.#nodes.has(parent)) return 'NO_NODE'
      this.#put(part.path, {
        text: toText(part.data),
        version: 0,
        czxid: BigInt(this.#zxid),
        ctime: time,
        mtime: time,
        session: part.mode === 'ephemeral' ? session : undefined,
      })
      return undefined
    }
    if (node === undefined) return 'NO_NODE'
    if (part.version !== -1 && part.version !== node.version) return 'BAD_VERSION'
    if (part.type === 'set') {
      this.delete(part.path)
      const { czxid, ctime, session: owner, version } = node
      const text = toText(part.data)
      this.#put(part.path, {
        text,
        version: version + 1,
        czxid,
        ctime,
        mtime: time,
        session: owner,
      })
    }
    if (part.type === 'delete') {
      const prefix = `${part.path}/`
      for (const other of this.#nodes.keys()) if (other.startsWith(prefix)) return 'NOT_EMPTY'
      this.delete(part.path)
    }
    return undefined
  }

  delete(path: string): void {
    const node = this.#nodes.get(path)
    if (node === undefined) return
    this.#nodes.delete(path)
    this.#low = (this.#low - node.low) | 0
    this.#high = (this.#high - node.high) | 0
  }

  #put(path: string, node: Omit<TreeNode, 'low' | 'high'>): void {
    const { text, version, ctime, mtime, session } = node
    const content = `${path} ${version} ${ctime} ${mtime} ${session} ${text}`
    const low = hash(content, 0x811c9dc5)
    const high = hash(content, 0x1b873593)
    this.#nodes.set(path, { ...node, low, high })
    this.#low = (this.#low + low) | 0
    this.#high = (this.#high + high) | 0
  }
}

/** Murmur-like: the sum over many nodes has to spread, too. */
export function hash(text: string, seed: number): number {
  let value = seed
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x5bd1e995)
    value ^= value >>> 13
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) | 0
}
