import type { AclId } from '@elasticjob/zookeeper/protocol'
import type { SnapshotSession, Transaction } from '../transaction.ts'

/** What a member of an ensemble says to the leader. */
export type ToLeader =
  /** A client's request that needs a transaction, with what follows its header. */
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
  /** A client has come back to its session. */
  | {
      readonly kind: 'revalidate'
      readonly request: number
      readonly sessionId: bigint
      readonly password: Uint8Array
      readonly timeout: number
    }
  | { readonly kind: 'sync'; readonly request: number }
  /** The answer to a ping: the sessions whose clients were heard since the last, and their timeouts. */
  | { readonly kind: 'touches'; readonly sessions: ReadonlyMap<bigint, number> }

/** How a request for a transaction ended, for the member that it came from. */
export interface Outcome {
  readonly request: number
  readonly error: number
  readonly body: Uint8Array
}

/** What the leader says to a member. */
export type ToMember =
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'commit'
      readonly transaction: Transaction
      readonly outcome: Outcome | undefined
    }
  /** Whether the session lives; it was touched, if so. */
  | {
      readonly kind: 'revalidated'
      readonly request: number
      readonly session: SnapshotSession | undefined
    }
  /** The session's client has meanwhile connected to another member. */
  | { readonly kind: 'moved'; readonly sessionId: bigint }
  /** Everything that was committed before the sync has been sent. */
  | { readonly kind: 'synced'; readonly request: number }
