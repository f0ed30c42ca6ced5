/**
 * The contract between coordination and a registry. `zookeeper/` implements it; test/registry checks every
 * implementation against it.
 *
 * A registry is a tree of nodes with data and versions that all clients share.
 *
 * **Transactions.** The registry carries out a transaction as a whole or not at all; each part sees the changes of the
 * parts before it. All transactions of all clients have one order, and each has an id (zxid) that grows in it: a
 * transaction that is sent after the answer to another has the greater id. `czxid`, `mzxid` and `pzxid` of a node are
 * such ids, so they tell which of two changes came later. Ids go back only when a registry is restored from a backup.
 *
 * **Refusals.** A refused transaction changes nothing and rejects with the code of its first part that failed, and that
 * part's `path` and `partIndex`. An error with `outcomeUnknown` means that no answer arrived: the registry may have
 * carried out the transaction, or may still do so. Any other error means that it did not and will not.
 *
 * **Reads.** A read of several nodes is one request, but not a snapshot: a transaction may come between two of its
 * parts. A read may show an older state than another client has seen, but never an older one than this client has seen
 * before, and never one without this client's own answered transactions. After `catchUp` it shows every transaction
 * that was answered to any client before the call.
 *
 * **Order.** The registry carries out the requests of one client in the order of the calls, and answers them in that
 * order. The event of a change arrives before any answer that shows the change, and after every answer that does not.
 * `onAnswer` is called at the place of the answer in that order; the promise settles somewhat later, after events that
 * directly followed the answer. The events of a transaction arrive in the order of its parts. An event has no data.
 *
 * **Watches.** A watch stays until it is removed, across lost connections and in a renewed session, and its node need
 * not exist. Changes during a lost connection are not reported: after `session:reconnected` and `session:renewed` the
 * client has to read everything again.
 *
 * **Sessions.** An ephemeral node belongs to the session that created it. The registry deletes it when the session
 * ends, and not before. A session ends by `close()`, by `renewSession()`, or when the registry has heard nothing from
 * the client for `sessionTimeout`. While the client is suspended, it is unknown whether its session is alive.
 * `session:reconnected`: the session has survived, with its nodes. `session:expired`, then `session:renewed`: the
 * session is over, its nodes are gone, and a new session has replaced it.
 *
 * **Proof and lease.** Only an answered transaction proves a session: a server that is cut off from the others still
 * answers reads. While `lease.valid`, no client can see an ephemeral node of this session gone, unless a client deleted
 * it; and that stays so for `abortTime` after the lease has ended. Writes keep a held lease alive; if it ends all the
 * same, the client emits `lease:ended`.
 */
import type { EventEmitter } from 'node:events'

import type { Clock } from '../clock.ts'
import type { RegistryError } from './registry-error.ts'
import type {
  NodeContent,
  PartResult,
  ReadPart,
  ReadResult,
  Stat,
  TransactionPart,
} from './transaction.ts'

export interface RegistryClientEvents {
  /** The connection is lost. */
  'session:suspended': [{ reason: RegistryError }]
  /** The connection is back, and the session has survived. */
  'session:reconnected': []
  /** The session is over. */
  'session:expired': []
  /** A new session has replaced the expired one and taken over its watches. */
  'session:renewed': []
  /** A held lease has ended: all work that relies on the session has to stop. */
  'lease:ended': []
  /** A transaction has proven the session again. */
  'lease:regained': []
}

/** `lost`: suspended for so long that the session may have expired. */
export type SessionState = 'connecting' | 'connected' | 'suspended' | 'lost' | 'closed'

export interface RequestOptions {
  /**
   * Whether a request without a connection waits for one, until `REGISTRY_DEADLINE_EXCEEDED`, or fails at once with
   * `REGISTRY_NOT_CONNECTED`.
   * @default 'wait'
   */
  readonly whileDisconnected?: 'wait' | 'fail'
}

export interface ReadOptions extends RequestOptions {
  /** Called when the answer arrives, in order with the events of watches. */
  readonly onAnswer?: () => void
}

export interface CreateOptions extends RequestOptions {
  /** @default 'persistent' */
  readonly mode?: 'persistent' | 'ephemeral'
  /**
   * Whether missing ancestors are created, in the same transaction.
   * @default false
   */
  readonly parents?: boolean
}

export interface WatchEvent {
  readonly type: 'created' | 'deleted' | 'dataChanged'
  readonly path: string
}

export type WatchListener = (event: WatchEvent) => void

/** A node alone, or a node and everything below it. */
export type WatchMode = 'persistent' | 'recursive'

export interface Watch {
  remove(): Promise<void>
}

/** How long the session is proven to be alive. */
export interface Lease {
  readonly valid: boolean
  /** The remaining time in milliseconds; 0 without a valid lease. */
  readonly remaining: number
  readonly isHeld: boolean
  /** The time in milliseconds until a transaction can prove the session for long enough to start work; 0 for now. */
  readonly settlesIn: number
  /** Keeps the lease alive by writing this ephemeral node, until the hold is released. */
  hold(path: string): LeaseHold
}

export interface LeaseHold {
  release(): void
}

export interface TreeCopyListener {
  /** A node was created, changed or deleted. */
  readonly touched: (path: string) => void
  /** The copy shows the last known state: the connection is lost, or a node could not be read. */
  readonly stale: () => void
  /** The copy is in sync with the registry again. */
  readonly current: () => void
}

/** A copy of a subtree that follows the registry; it throws a `RegistryError` unless it has been read. */
export interface TreeCopy {
  readonly path: string
  /** The number of nodes in the copy. */
  readonly size: number
  readonly freshness: { readonly state: 'unloaded' | 'current' | 'updating' | 'stale' }
  follow(listener: TreeCopyListener): void
  /** Resolves when the whole subtree has been read. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Resolves when the copy shows everything that was written through the same client before this call. */
  settled(): Promise<void>
  has(path: string): boolean
  get(path: string): NodeContent | undefined
  children(path: string): readonly string[] | undefined
}

export interface RegistryClient extends Pick<EventEmitter<RegistryClientEvents>, 'on' | 'off'> {
  readonly clock: Clock
  readonly state: SessionState
  /** After how much silence of the client the registry ends the session, in milliseconds. */
  readonly sessionTimeout: number
  /** The id of the newest transaction that this client has seen. */
  readonly lastZxid: bigint
  /** The number of unanswered requests. */
  readonly outstanding: number
  readonly lease: Lease
  transact(
    parts: readonly TransactionPart[],
    options?: RequestOptions,
  ): Promise<readonly PartResult[]>
  read(parts: readonly ReadPart[], options?: ReadOptions): Promise<readonly ReadResult[]>
  /** Creates an empty node, as a transaction of its own. */
  create(path: string, options?: CreateOptions): Promise<Stat>
  /** Resolves when no further change can be missed. */
  watch(
    path: string,
    mode: WatchMode,
    listener: WatchListener,
    options?: RequestOptions,
  ): Promise<Watch>
  /**
   * Resolves when reads show every transaction that was answered to any client before; costs a transaction that changes
   * nothing.
   */
  catchUp(): Promise<void>
  copyOf(path: string): TreeCopy
  /**
   * Runs `act` while holding the latch that Java's instances use (Curator's LeaderLatch), and releases it afterwards.
   * Returns whether the latch was acquired within `timeout` milliseconds. `latchNode` is the place of this client in
   * the queue: a transaction that checks it fails when the latch was lost.
   */
  inLatch(
    path: string,
    timeout: number,
    act: (latchNode: string) => Promise<void>,
  ): Promise<boolean>
  /** Ends the session and opens another one, as after an expiry. */
  renewSession(): Promise<void>
  /** Ends the session and the connection. */
  close(): Promise<void>
  /**
   * Turns a refusal of this client's identity into an error that says what to do; returns any other error unchanged.
   */
  refusalOf(error: unknown): unknown
}
