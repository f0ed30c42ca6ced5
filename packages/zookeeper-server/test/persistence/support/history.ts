import type { Acl } from '@elasticjob/zookeeper/protocol'
import { openAcl, readOnlyAcl } from '../../../src/acl/acl-table.ts'
import { ServerState } from '../../../src/state.ts'
import type { NodeChange, Transaction, TransactionBody } from '../../../src/transaction.ts'
import { parentPath } from '../../../src/tree/path.ts'

const nobody = { created: () => {}, deleted: () => {}, dataChanged: () => {} }
const acls: readonly (readonly Acl[])[] = [
  openAcl,
  readOnlyAcl,
  [{ permissions: 31, id: { scheme: 'digest', id: 'somebody:of their own' } }],
]
const nodeNames = ['a', 'b', 'c', 'ü', 'd']

export function emptyState(): ServerState {
  return new ServerState(nobody)
}

/** Generates valid transactions, as a server would. The result depends only on the given numbers. */
export class History {
  readonly state: ServerState = emptyState()
  readonly transactions: Transaction[] = []
  readonly #fraction: () => number

  constructor(fraction: () => number) {
    this.#fraction = fraction
  }

  /** The next transaction, already applied to the state. */
  next(dataSize = 40): Transaction {
    const zxid = this.state.lastZxid + 1
    const { sessionId, body } = this.#propose(dataSize)
    const transaction = { zxid, time: 1_700_000_000_000 + zxid, sessionId, body }
    this.state.applyTransaction(transaction)
    this.transactions.push(transaction)
    return transaction
  }

  /** The state after an earlier transaction. */
  at(zxid: number): ServerState {
    const state = emptyState()
    for (const transaction of this.transactions.slice(0, zxid)) state.applyTransaction(transaction)
    return state
  }

  #propose(dataSize: number): { sessionId: bigint; body: TransactionBody } {
    const [owner] = this.state.sessions.keys()
    const sessionId = owner ?? 0n
    const dice = this.#fraction()
    if (owner === undefined || dice < 0.05) {
      const password = this.#bytes(16)
      return {
        sessionId: this.state.lastSessionId + 1n,
        body: { kind: 'createSession', timeout: 5000, password },
      }
    }
    if (dice < 0.1) {
      const ephemerals = [...this.state.tree.ephemeralsOf(sessionId)]
      return { sessionId, body: { kind: 'closeSession', ephemerals } }
    }
    if (dice < 0.15) return { sessionId, body: { kind: 'none' } }
    if (dice < 0.3) {
      // Avoids nodes of the current state: each change of a multi sees those before it.
      const path = this.#somePath()
      const changes = this.#replacement(path, sessionId, dataSize)
      if (changes !== undefined) return { sessionId, body: { kind: 'multi', changes } }
    }
    return { sessionId, body: this.#change(sessionId, dataSize) ?? { kind: 'none' } }
  }

  #change(sessionId: bigint, dataSize: number): NodeChange | undefined {
    const path = this.#somePath()
    const node = this.state.tree.get(path)
    if (node === undefined) return this.#creation(path, sessionId, dataSize)
    const dice = this.#fraction()
    if (dice < 0.4 && node.childCount === 0) return { kind: 'delete', path }
    if (dice < 0.8) {
      return { kind: 'setData', path, data: this.#data(dataSize), version: node.version + 1 }
    }
    return { kind: 'setAcl', path, acl: this.#pick(acls), version: node.aclVersion + 1 }
  }

  #creation(path: string, sessionId: bigint, dataSize: number): NodeChange | undefined {
    const parent = this.state.tree.get(parentPath(path))
    if (parent === undefined || parent.owner !== 0n) return undefined
    return {
      kind: 'create',
      path,
      data: this.#data(dataSize),
      acl: this.#pick(acls),
      owner: this.#fraction() < 0.2 ? sessionId : 0n,
      parentCreations: parent.creations + 1,
    }
  }

  /** Deletes a leaf and creates it again within one transaction. */
  #replacement(path: string, sessionId: bigint, dataSize: number): NodeChange[] | undefined {
    const node = this.state.tree.get(path)
    if (node === undefined || node.childCount > 0) return undefined
    const creation = this.#creation(path, sessionId, dataSize)
    if (creation === undefined) return undefined
    return [
      { kind: 'delete', path },
      creation,
      { kind: 'setData', path, data: this.#data(dataSize), version: 1 },
    ]
  }

  #somePath(): string {
    const depth = 1 + Math.floor(this.#fraction() * 3)
    return Array.from({ length: depth }, () => `/${this.#pick(nodeNames)}`).join('')
  }

  #data(size: number): Uint8Array | null {
    const dice = this.#fraction()
    if (dice < 0.05) return null
    return dice < 0.1 ? Buffer.alloc(0) : this.#bytes(1 + Math.floor(this.#fraction() * size))
  }

  #bytes(count: number): Uint8Array {
    const pattern = Array.from({ length: Math.min(count, 16) }, () => this.#fraction() * 256)
    return Buffer.alloc(count, Uint8Array.from(pattern))
  }

  #pick<T>(elements: readonly T[]): T {
    return elements[Math.floor(this.#fraction() * elements.length)] as T
  }
}

/** A state as a comparable text. */
export function picture(state: ServerState): string {
  const { zxid, lastSessionId, sessions, nodes } = state.snapshot()
  const values = {
    zxid,
    lastSessionId,
    nodeCount: state.tree.nodeCount,
    dataSize: state.tree.dataSize,
    sessions: byKey(sessions, ({ sessionId, timeout, password }) => [
      String(sessionId),
      { timeout, password: hex(password), ephemerals: sorted(state.tree.ephemeralsOf(sessionId)) },
    ]),
    nodes: byKey([...nodes], ({ path, data, ...rest }) => [
      path,
      {
        ...rest,
        data: data === null ? null : hex(data),
        children: sorted(state.tree.get(path)?.children ?? []),
      },
    ]),
  }
  return JSON.stringify(values, (_, value: unknown) => textOf(value), 1)
}

function textOf(value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function byKey<T>(elements: readonly T[], entry: (element: T) => [string, unknown]): unknown {
  return Object.fromEntries(elements.map(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function sorted(names: Iterable<string>): string[] {
  return [...names].toSorted()
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** Numbers from 0 to 1 derived from a seed (mulberry32). */
export function fractions(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
