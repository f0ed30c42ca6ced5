import type { Acl } from '@elasticjob/zookeeper/protocol'

/**
 * A change to one node. It carries what will be, not what to do (the new version, the parent's new
 * count of creations), so that applying it again, or to a state that already holds it, ends in the
 * same state.
 */
export type NodeChange =
  | {
      readonly kind: 'create'
      readonly path: string
      readonly data: Uint8Array | null
      readonly acl: readonly Acl[]
      /** As in the node's stat: a session, the mark of a container or a TTL, or 0. */
      readonly owner: bigint
      /** How many children the parent has been given in its life, this one included. */
      readonly parentCreations: number
    }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'setData'
      readonly path: string
      readonly data: Uint8Array | null
      readonly version: number
    }
  | {
      readonly kind: 'setAcl'
      readonly path: string
      readonly acl: readonly Acl[]
      readonly version: number
    }

/** What a transaction does. */
export type TransactionBody =
  | NodeChange
  | { readonly kind: 'createSession'; readonly timeout: number; readonly password: Uint8Array }
  /** The end of a session, and with it of the nodes listed. */
  | { readonly kind: 'closeSession'; readonly ephemerals: readonly string[] }
  /** Several changes that happened as one. */
  | { readonly kind: 'multi'; readonly changes: readonly NodeChange[] }
  /** A write that was refused, or that changes nothing. It has used up a zxid all the same. */
  | { readonly kind: 'none' }

/** One step of the server's state. Steps are numbered without gaps and applied in that order. */
export interface Transaction {
  /** Its number. A safe integer: a single server never reaches 2^53. */
  readonly zxid: number
  /** The server's wall clock when it was made, in milliseconds since the epoch. */
  readonly time: number
  /** The session that asked for it; for a closing that the server decided on, the session closed. */
  readonly sessionId: bigint
  readonly body: TransactionBody
}

/** A node as a snapshot keeps it. The stat's other fields follow from the tree. */
export interface SnapshotNode {
  readonly path: string
  readonly data: Uint8Array | null
  /** Equal lists are the same object, so that a snapshot may write each only once. */
  readonly acl: readonly Acl[]
  readonly owner: bigint
  readonly czxid: number
  readonly mzxid: number
  readonly pzxid: number
  readonly ctime: number
  readonly mtime: number
  readonly version: number
  readonly aclVersion: number
  /** How many children it has been given in its life; sequence numbers come from it. */
  readonly creations: number
}

/** A session as a snapshot keeps it. */
export interface SnapshotSession {
  readonly sessionId: bigint
  /** The negotiated timeout in milliseconds. */
  readonly timeout: number
  readonly password: Uint8Array
}
