import type { SnapshotNode, SnapshotSession, Transaction } from './transaction.ts'

/**
 * The whole state, for a snapshot. Header and sessions are copies; the nodes are the live tree, which may
 * change during the iteration. Applying all transactions after `zxid` to the iterated nodes gives the correct
 * state, whichever of them it already contains.
 */
export interface Snapshot {
  /** The snapshot contains everything up to this zxid, and possibly some later transactions. */
  readonly zxid: number
  /** The highest session id ever assigned, so that no id is assigned twice. */
  readonly lastSessionId: bigint
  readonly sessions: readonly SnapshotSession[]
  /** Parents come before children. If a path occurs twice, the later node counts. */
  readonly nodes: Iterable<SnapshotNode>
}

export interface SnapshotSource {
  snapshot(): Snapshot
}

/** An empty state to fill: one snapshot if there is one, then transactions in order. */
export interface RecoveryTarget {
  loadHeader(zxid: number, lastSessionId: bigint): void
  loadSession(session: SnapshotSession): void
  loadNode(node: SnapshotNode): void
  /** Applies a transaction; has no effect if the state already contains it. */
  applyTransaction(transaction: Transaction): void
}

/** Receives the progress of the log. */
export interface DurabilityListener {
  /** Everything up to this zxid survives a crash. Replies that depend on it may be sent now. */
  durable(zxid: number): void
  /** The log has failed. Transactions that are not durable yet will never be acknowledged. */
  failed(error: Error): void
}

/**
 * The persistent storage of the state. The server applies and appends a transaction in the same turn, and
 * holds back every reply and notification that shows it until the log reports it as durable: so no client
 * ever sees a state that a crash could undo.
 */
export interface Durability {
  /** All transactions up to this zxid are durable. */
  readonly durableZxid: number
  /** Fills the state from storage. Called once, before any other method. */
  recover(target: RecoveryTarget): Promise<void>
  /** Starts accepting transactions; snapshots are taken from `source`. */
  start(source: SnapshotSource, listener: DurabilityListener): void
  /**
   * Appends the next transaction, in zxid order. Returns at once and never throws: many transactions are made
   * durable together. Its objects belong to the state and are not modified.
   */
  append(transaction: Transaction): void
  /** Resolves when every appended transaction is durable and every file is closed. */
  close(): Promise<void>
}
