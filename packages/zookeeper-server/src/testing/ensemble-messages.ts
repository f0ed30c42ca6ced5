import type { AclId } from '@elasticjob/zookeeper/protocol'
import type { SnapshotSession, Transaction } from '../transaction.ts'

/** Messages from a member to the leader. */
export type ToLeader =
  /** A client's request that needs a transaction, with its body. */
  | {
      readonly kind: 'write'
      readonly request: number
      readonly sessionId: bigint
      readonly identities: readonly AclId[]
      readonly type: number
      readonly body: Buffer
    }
  | { readonly kind: 'createSession'; readonly request: number; readonly timeout: number }
  | { readonly kind: 'closeSession'; readonly request: number; readonly sessionId: bigint }
  /** A client has reconnected to its session. */
  | {
      readonly kind: 'revalidate'
      readonly request: number
      readonly sessionId: bigint
      readonly password: Uint8Array
      readonly timeout: number
    }
  | { readonly kind: 'sync'; readonly request: number }
  /** The answer to a ping: the sessions heard from since the last ping, and their timeouts. */
  | { readonly kind: 'touches'; readonly sessions: ReadonlyMap<bigint, number> }

/** The outcome of a request, for the member that forwarded it. */
export interface Outcome {
  readonly request: number
  readonly error: number
  readonly body: Uint8Array
}

/** Messages from the leader to a member. */
export type ToMember =
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'commit'
      readonly transaction: Transaction
      readonly outcome: Outcome | undefined
    }
  /** Whether the session lives; if so, it was touched. */
  | {
      readonly kind: 'revalidated'
      readonly request: number
      readonly session: SnapshotSession | undefined
    }
  /** The session's client has connected to another member. */
  | { readonly kind: 'moved'; readonly sessionId: bigint }
  /** Everything committed before the sync has been sent. */
  | { readonly kind: 'synced'; readonly request: number }
