import { nodeKind, type NodeKind, type NodeOptions } from './create-options.ts'
import { type Data, toBytes } from './data.ts'
import { MultiError, serverFailure } from './errors.ts'
import type { MultiPart, MultiReadPart, MultiResult } from './jute/multi.ts'
import { opCode } from './jute/op-codes.ts'
import type { Stat } from './jute/records.ts'
import { validatePath } from './paths.ts'

/** A create as a part of a transaction. */
export interface CreatePart {
  readonly type: 'create'
  readonly path: string
  readonly data: Uint8Array
  readonly kind: NodeKind
}

export interface SetPart {
  readonly type: 'set'
  readonly path: string
  readonly data: Uint8Array
  readonly version: number
}

export interface DeletePart {
  readonly type: 'delete'
  readonly path: string
  readonly version: number
}

export interface CheckPart {
  readonly type: 'check'
  readonly path: string
  readonly version: number
}

/** One operation of a transaction. */
export type TransactionPart = CreatePart | SetPart | DeletePart | CheckPart

/** The results of the parts of a successful transaction. */
interface PartResults {
  /** The created path, with the sequence number of a sequential node. */
  readonly create: { readonly path: string }
  readonly set: { readonly stat: Stat }
  readonly delete: { readonly path: string }
  readonly check: { readonly path: string }
}

/** The results of the parts of a transaction. */
export type ResultsOf<Parts extends readonly TransactionPart[]> = {
  -readonly [Index in keyof Parts]: PartResults[Parts[Index]['type']]
}

export const anyVersion = -1

/** Builds the parts of a transaction (`multi`). */
export const part = {
  create(path: string, data?: Data | null, options: NodeOptions = {}): CreatePart {
    validatePath(path, options.sequential)
    return { type: 'create', path, data: toBytes(data), kind: nodeKind(path, options) }
  },
  set(path: string, data: Data, version: number = anyVersion): SetPart {
    validatePath(path)
    return { type: 'set', path, data: toBytes(data), version }
  },
  delete(path: string, version: number = anyVersion): DeletePart {
    validatePath(path)
    return { type: 'delete', path, version }
  },
  /** Requires that the node exists, with the given version if there is one. */
  check(path: string, version: number = anyVersion): CheckPart {
    validatePath(path)
    return { type: 'check', path, version }
  },
} as const

/** Encodes a part for the wire, with the full server path. */
export function toWire(transactionPart: TransactionPart, path: string): MultiPart {
  switch (transactionPart.type) {
    case 'create': {
      const { data, kind } = transactionPart
      const request = { path, data, acl: kind.acl, flags: kind.flags }
      if (kind.type === opCode.createTtl) return { type: kind.type, ...request, ttl: kind.ttl }
      // Uses the older create: servers omit the stat in a multi anyway.
      const type = kind.type === opCode.create2 ? opCode.create : kind.type
      return { type, ...request }
    }
    case 'set':
      return {
        type: opCode.setData,
        path,
        data: transactionPart.data,
        version: transactionPart.version,
      }
    case 'delete':
      return { type: opCode.delete, path, version: transactionPart.version }
    case 'check':
      return { type: opCode.check, path, version: transactionPart.version }
  }
}

/** Returns the results of a transaction; throws if it failed. */
export function transactionResults<Parts extends readonly TransactionPart[]>(
  parts: Parts,
  results: readonly MultiResult[],
  toClientPath: (path: string) => string,
): ResultsOf<Parts> {
  const errnos = results.map((result) => (result.type === opCode.error ? result.error : 0))
  const index = culprit(errnos)
  if (index !== -1) {
    const { type, path } = parts[index] as TransactionPart
    throw new MultiError(serverFailure(errnos[index] as number, type, path), index, errnos)
  }
  const answers = parts.map(({ path }, i) => {
    const result = results[i]
    if (result !== undefined && 'path' in result) return { path: toClientPath(result.path) }
    if (result !== undefined && 'stat' in result) return { stat: result.stat }
    return { path }
  })
  return answers as ResultsOf<Parts>
}

const notTried = -2

/** The part that made the others fail: those are marked as rolled back (0) or not tried (-2). */
function culprit(errnos: readonly number[]): number {
  const index = errnos.findIndex((errno) => errno !== 0 && errno !== notTried)
  return index === -1 ? errnos.findIndex((errno) => errno !== 0) : index
}

/** A read as a part of a multi-read. */
export interface ReadPart {
  readonly type: 'get' | 'children'
  readonly path: string
}

/** Builds the parts of a `multiRead`. */
export const read = {
  get(path: string): ReadPart & { readonly type: 'get' } {
    validatePath(path)
    return { type: 'get', path }
  },
  children(path: string): ReadPart & { readonly type: 'children' } {
    validatePath(path)
    return { type: 'children', path }
  },
} as const

export function readToWire({ type }: ReadPart, path: string): MultiReadPart {
  const code = type === 'get' ? opCode.getData : opCode.getChildren
  return { type: code, path, watch: false }
}
