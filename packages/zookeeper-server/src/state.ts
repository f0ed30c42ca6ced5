import type { RecoveryTarget, Snapshot, SnapshotSource } from './durability.ts'
import type { NodeChange, SnapshotNode, SnapshotSession, Transaction } from './transaction.ts'
import { DataTree, type TreeObserver } from './tree/data-tree.ts'

/**
 * Everything that survives a restart: the tree, the sessions, and the last zxid. One function changes it, so
 * that the same transactions always give the same state.
 */
export class ServerState implements RecoveryTarget, SnapshotSource {
  readonly tree: DataTree
  readonly #sessions = new Map<bigint, SnapshotSession>()
  #lastZxid = 0
  #lastSessionId = 0n

  constructor(observer: TreeObserver) {
    this.tree = new DataTree(observer)
  }

  get lastZxid(): number {
    return this.#lastZxid
  }

  /** The highest session id ever assigned. */
  get lastSessionId(): bigint {
    return this.#lastSessionId
  }

  get sessions(): ReadonlyMap<bigint, SnapshotSession> {
    return this.#sessions
  }

  /** `applied` is called after each change of a multi, with the tree as that change left it. */
  applyTransaction(transaction: Transaction, applied?: (change: NodeChange) => void): void {
    const { zxid, time, sessionId, body } = transaction
    switch (body.kind) {
      case 'createSession': {
        const { timeout, password } = body
        this.loadSession({ sessionId, timeout, password })
        if (sessionId > this.#lastSessionId) this.#lastSessionId = sessionId
        break
      }
      case 'closeSession':
        for (const path of body.ephemerals) this.tree.apply({ kind: 'delete', path }, zxid, time)
        this.#sessions.delete(sessionId)
        break
      case 'multi':
        this.tree.applyAll(body.changes, zxid, time, applied)
        break
      case 'none':
        break
      default:
        this.tree.apply(body, zxid, time)
    }
    if (zxid > this.#lastZxid) this.#lastZxid = zxid
  }

  snapshot(): Snapshot {
    return {
      zxid: this.#lastZxid,
      lastSessionId: this.#lastSessionId,
      sessions: [...this.#sessions.values()],
      nodes: this.tree.snapshot(),
    }
  }

  loadHeader(zxid: number, lastSessionId: bigint): void {
    this.#lastZxid = zxid
    this.#lastSessionId = lastSessionId
  }

  loadSession(session: SnapshotSession): void {
    this.#sessions.set(session.sessionId, session)
  }

  loadNode(node: SnapshotNode): void {
    this.tree.load(node)
  }
}
