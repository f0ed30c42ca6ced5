import type { Acl } from '@elasticjob/zookeeper/protocol'

/**
 * A change of one node. It contains the result, not the operation (the new version, the parent's new number
 * of creations), so that applying it again, or to a state that already contains it, gives the same state.
 */
export type NodeChange =
  | {
      readonly kind: 'create'
      readonly path: string
      readonly data: Uint8Array | null
      readonly acl: readonly Acl[]
      /** As in the node's stat: a session, the marker of a container or a TTL, or 0. */
      readonly owner: bigint
      /** How many children the parent has ever had, including this one. */
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

/** The effect of a transaction. */
export type TransactionBody =
  | NodeChange
  | { readonly kind: 'createSession'; readonly timeout: number; readonly password: Uint8Array }
  /** The end of a session, which deletes the listed nodes. */
  | { readonly kind: 'closeSession'; readonly ephemerals: readonly string[] }
  /** Several changes as one transaction. */
  | { readonly kind: 'multi'; readonly changes: readonly NodeChange[] }
  /** A write that was rejected or changes nothing. It uses a zxid nevertheless. */
  | { readonly kind: 'none' }

/** One step of the server's state. Zxids have no gaps and are applied in order. */
export interface Transaction {
  /** Its zxid. A safe integer: a single server never reaches 2^53. */
  readonly zxid: number
  /** The server's wall-clock time when it was created, in milliseconds since the epoch. */
  readonly time: number
  /** The session that requested it; for an expiry, the expired session. */
  readonly sessionId: bigint
  readonly body: TransactionBody
}

/** A node in a snapshot. The other fields of its stat follow from the tree. */
export interface SnapshotNode {
  readonly path: string
  readonly data: Uint8Array | null
  /** Equal ACLs are the same object, so that a snapshot writes each only once. */
  readonly acl: readonly Acl[]
  readonly owner: bigint
  readonly czxid: number
  readonly mzxid: number
  readonly pzxid: number
  readonly ctime: number
  readonly mtime: number
  readonly version: number
  readonly aclVersion: number
  /** How many children it has ever had; the source of sequence numbers. */
  readonly creations: number
}

/** A session in a snapshot. */
export interface SnapshotSession {
  readonly sessionId: bigint
  /** The negotiated timeout in milliseconds. */
  readonly timeout: number
  readonly password: Uint8Array
}
