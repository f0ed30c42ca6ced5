import { openAcl } from './acl.ts'
import { ZooKeeperError } from './errors.ts'
import { createFlag, opCode } from './jute/op-codes.ts'
import type { Acl } from './jute/records.ts'

/** The mode and the access control list of a new node. */
export interface NodeOptions {
  /**
   * `persistent` stays; `ephemeral` is deleted with the session; `container` is deleted some time after its
   * last child.
   * @default 'persistent'
   */
  readonly mode?: 'persistent' | 'ephemeral' | 'container'
  /**
   * Whether the server appends an increasing ten-digit number to the name.
   * @default false
   */
  readonly sequential?: boolean
  /**
   * The server deletes a persistent node without children after this many milliseconds without a change.
   * Requires `extendedTypesEnabled` on the server.
   */
  readonly ttl?: number
  /**
   * The node's access control list.
   * @default everybody has every permission
   */
  readonly acl?: readonly Acl[]
}

/** A node's type and flags on the wire. */
export interface NodeKind {
  readonly type: typeof opCode.create2 | typeof opCode.createContainer | typeof opCode.createTtl
  readonly flags: number
  readonly ttl: bigint
  readonly acl: readonly Acl[]
  readonly isEphemeral: boolean
  readonly isSequential: boolean
}

/** The protocol's limit: 40 bits of milliseconds, about 35 years. */
const longestTtl = 2 ** 40 - 1

export function nodeKind(path: string, options: NodeOptions): NodeKind {
  const { mode = 'persistent', sequential = false, ttl, acl = openAcl } = options
  const kind = { acl, isEphemeral: mode === 'ephemeral', isSequential: sequential }
  if (ttl !== undefined) {
    if (mode !== 'persistent')
      throw invalid(path, `a node with a ttl must be persistent, not ${mode}`)
    if (!Number.isInteger(ttl) || ttl < 1 || ttl > longestTtl) {
      throw invalid(path, `ttl must be an integer from 1 to ${longestTtl}, not ${ttl}`)
    }
    const flags = sequential ? createFlag.persistentSequentialTtl : createFlag.persistentTtl
    return { type: opCode.createTtl, flags, ttl: BigInt(ttl), ...kind }
  }
  if (mode === 'container') {
    if (sequential) throw invalid(path, 'a container cannot be sequential')
    return { type: opCode.createContainer, flags: createFlag.container, ttl: 0n, ...kind }
  }
  const flags =
    (mode === 'ephemeral' ? createFlag.ephemeral : createFlag.persistent) |
    (sequential ? createFlag.persistentSequential : 0)
  return { type: opCode.create2, flags, ttl: 0n, ...kind }
}

function invalid(path: string, reason: string): ZooKeeperError {
  return new ZooKeeperError('ZK_INVALID_ARGUMENT', `create ${path}: ${reason}`, {
    operation: 'create',
    path,
  })
}
