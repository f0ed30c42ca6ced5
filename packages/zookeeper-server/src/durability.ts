import type { SnapshotNode, SnapshotSession, Transaction } from './transaction.ts'

/**
 * The whole state, for a snapshot. Header and sessions are copies made at once; the nodes are the
 * living tree, which may change between two steps of the iteration. Applying all transactions after
 * `zxid` to what was iterated gives the right state, whatever of them it already held.
 */
export interface Snapshot {
  /** Everything up to this zxid is in the snapshot; of what came later, some may be. */
  readonly zxid: number
  /** The highest session id ever given out, so that none is given out twice. */
  readonly lastSessionId: bigint
  readonly sessions: readonly SnapshotSession[]
  /** Parents come before their children. A path may come twice: the later one counts. */
  readonly nodes: Iterable<SnapshotNode>
}

/** Who can be asked for a snapshot. */
export interface SnapshotSource {
  snapshot(): Snapshot
}

/** An empty state that is being filled: one snapshot if there is one, then transactions in order. */
export interface RecoveryTarget {
  loadHeader(zxid: number, lastSessionId: bigint): void
  loadSession(session: SnapshotSession): void
  loadNode(node: SnapshotNode): void
  /** Applies a transaction; one that the state already holds changes nothing. */
  applyTransaction(transaction: Transaction): void
}

/** Who is told how far the log has got. */
export interface DurabilityListener {
  /** Everything up to this zxid outlasts a crash. Replies that depend on it may go out now. */
  durable(zxid: number): void
  /** The log cannot go on. What was not yet durable will never be acknowledged. */
  failed(error: Error): void
}

/**
 * Where the state survives. The server applies a transaction at once and appends it in the same
 * breath, and holds back everything that tells of it until the log calls it durable: so nobody
 * ever sees a state that a crash could take back.
 */
export interface Durability {
  /** All transactions up to this zxid are durable. */
  readonly durableZxid: number
  /** Fills the state with what is stored. Called once, before anything else. */
  recover(target: RecoveryTarget): Promise<void>
  /** From here on transactions come; snapshots of the state may be taken from `source`. */
  start(source: SnapshotSource, listener: DurabilityListener): void
  /**
   * Takes the next transaction, in the order of zxids. Returns at once and never throws: many are
   * made durable together. The objects in it belong to the state and do not change.
   */
  append(transaction: Transaction): void
  /** Resolves when all that was appended is durable and every file is closed. */
  close(): Promise<void>
}
