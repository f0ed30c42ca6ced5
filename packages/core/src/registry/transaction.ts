/** The data, requests and answers of a registry. */
import { problemOfPath } from '../node-path.ts'
import { RegistryError } from './registry-error.ts'

/** The metadata of a node. */
export interface Stat {
  /** The transaction that created the node. */
  readonly czxid: bigint
  /** The transaction that last changed its data. */
  readonly mzxid: bigint
  /** The transaction that last created or deleted one of its children. */
  readonly pzxid: bigint
  /** When it was created, in milliseconds since the epoch, by the registry's clock. */
  readonly ctime: bigint
  /** When its data were last changed, in milliseconds since the epoch, by the registry's clock. */
  readonly mtime: bigint
  /** How often its data were changed; 0 for a node that was created, or deleted and created again. */
  readonly version: number
  /** The session that an ephemeral node belongs to; 0 for any other node. */
  readonly ephemeralOwner: bigint
}

export interface NodeContent {
  readonly data: Uint8Array
  readonly stat: Stat
}

/** One part of a transaction. A version of -1 stands for any. */
export type TransactionPart =
  | {
      readonly type: 'create'
      readonly path: string
      readonly data: Uint8Array
      readonly mode: 'persistent' | 'ephemeral' | 'container'
    }
  | {
      readonly type: 'set'
      readonly path: string
      readonly data: Uint8Array
      readonly version: number
    }
  | { readonly type: 'delete'; readonly path: string; readonly version: number }
  | { readonly type: 'check'; readonly path: string; readonly version: number }

/** The answer to one part: a `set` has the node's new stat. */
export interface PartResult {
  readonly stat?: Stat
}

/** One node, or the names of its children, in a read of several. */
export interface ReadPart {
  readonly type: 'get' | 'children'
  readonly path: string
}

/**
 * The answer to one part of a read. `REGISTRY_NO_NODE` means that the node does not exist; any other error means that
 * its state is unknown.
 */
export type ReadResult =
  | NodeContent
  | { readonly children: readonly string[] }
  | { readonly error: RegistryError }

const anyVersion = -1

/** Builds the parts of a transaction. */
export const part = {
  /** A persistent node. */
  create(path: string, data: string = ''): TransactionPart {
    return { type: 'create', path: valid(path), data: toBytes(data), mode: 'persistent' }
  },
  /** A node that is deleted with the session. */
  ephemeral(path: string, data: string = ''): TransactionPart {
    return { type: 'create', path: valid(path), data: toBytes(data), mode: 'ephemeral' }
  },
  /** A node that the registry deletes some time after its last child. */
  container(path: string): TransactionPart {
    return { type: 'create', path: valid(path), data: toBytes(''), mode: 'container' }
  },
  set(path: string, data: string, version: number = anyVersion): TransactionPart {
    return { type: 'set', path: valid(path), data: toBytes(data), version }
  },
  delete(path: string, version: number = anyVersion): TransactionPart {
    return { type: 'delete', path: valid(path), version }
  },
  /** Requires that the node exists, with the given version if there is one. */
  check(path: string, version: number = anyVersion): TransactionPart {
    return { type: 'check', path: valid(path), version }
  },
} as const

/** Builds the parts of a read. */
export const read = {
  get(path: string): ReadPart {
    return { type: 'get', path: valid(path) }
  },
  children(path: string): ReadPart {
    return { type: 'children', path: valid(path) }
  },
} as const

/** Refuses an invalid path here: in a transaction it would fail the other units of the same batch. */
function valid(path: string): string {
  const problem = problemOfPath(path)
  if (problem !== undefined) throw new RegistryError('REGISTRY_INVALID_PATH', problem, { path })
  return path
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

export function toText(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8')
}
