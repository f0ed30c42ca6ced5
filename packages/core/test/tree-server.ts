import { toText, type TransactionPart } from '../src/registry/transaction.ts'

export interface TreeNode {
  readonly text: string
  readonly version: number
  readonly czxid: bigint
  readonly mzxid: bigint
  readonly ctime: number
  readonly mtime: number
  /** Whose session it goes with; undefined for a node that stays. */
  readonly session: string | undefined
}

export type Refusal = 'NO_NODE' | 'NODE_EXISTS' | 'BAD_VERSION' | 'NOT_EMPTY'
export type Outcome = 'committed' | Refusal

/**
 * As much of ZooKeeper as a plan can tell: nodes with versions, and transactions that are carried out
 * as a whole or not at all. Time passes when a test says so.
 */
export class TreeServer {
  /** What the clock of the server shows. */
  time = 1_000_000
  #zxid = 0n
  #nodes: Map<string, TreeNode> = new Map()

  get(path: string): TreeNode | undefined {
    return this.#nodes.get(path)
  }

  /** Every path, parents before children. */
  get paths(): string[] {
    return [...this.#nodes.keys()].toSorted()
  }

  children(path: string): string[] {
    const prefix = `${path}/`
    return [...this.#nodes.keys()]
      .filter((other) => other.startsWith(prefix) && !other.slice(prefix.length).includes('/'))
      .map((other) => other.slice(prefix.length))
  }

  /** A node at whatever place, with what is missing above it. */
  put(
    path: string,
    text = '',
    { session, version = 0 }: { session?: string; version?: number } = {},
  ): void {
    const parent = parentOf(path)
    if (parent !== '' && !this.#nodes.has(parent)) this.put(parent)
    this.#zxid += 1n
    this.#nodes.set(path, { ...this.#newNode(text, session), version })
  }

  /** Takes a node away, and what is below it. */
  drop(path: string): void {
    for (const other of this.paths) {
      if (other === path || other.startsWith(`${path}/`)) this.#nodes.delete(other)
    }
  }

  /** A session has ended: its nodes go with it. */
  expire(session: string): void {
    for (const [path, node] of this.#nodes) if (node.session === session) this.#nodes.delete(path)
  }

  /** Carries out a transaction in the session of somebody. */
  apply(parts: readonly TransactionPart[], session = 'somebody'): Outcome {
    const before = new Map(this.#nodes)
    this.#zxid += 1n
    for (const part of parts) {
      const refusal = this.#carryOut(part, session)
      if (refusal !== undefined) {
        this.#nodes = before
        return refusal
      }
    }
    return 'committed'
  }

  /** Another server that has come to the same: for trying what would happen. */
  fork(): TreeServer {
    const fork = new TreeServer()
    fork.time = this.time
    fork.#zxid = this.#zxid
    fork.#nodes = new Map(this.#nodes)
    return fork
  }

  #carryOut(part: TransactionPart, session: string): Refusal | undefined {
    const node = this.#nodes.get(part.path)
    if (part.type === 'create') {
      if (node !== undefined) return 'NODE_EXISTS'
      const parent = parentOf(part.path)
      if (parent !== '' && !this.#nodes.has(parent)) return 'NO_NODE'
      const owner = part.mode === 'ephemeral' ? session : undefined
      this.#nodes.set(part.path, this.#newNode(toText(part.data), owner))
      return undefined
    }
    if (node === undefined) return 'NO_NODE'
    if (part.version !== -1 && part.version !== node.version) return 'BAD_VERSION'
    if (part.type === 'set') {
      const text = toText(part.data)
      const stamp = { version: node.version + 1, mzxid: this.#zxid, mtime: this.time }
      this.#nodes.set(part.path, { ...node, ...stamp, text })
    }
    if (part.type === 'delete') {
      if (this.children(part.path).length > 0) return 'NOT_EMPTY'
      this.#nodes.delete(part.path)
    }
    return undefined
  }

  #newNode(text: string, session: string | undefined): TreeNode {
    const ids = { czxid: this.#zxid, mzxid: this.#zxid }
    return { text, version: 0, ...ids, ctime: this.time, mtime: this.time, session }
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
