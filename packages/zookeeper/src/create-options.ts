import { openAcl } from './acl.ts'
import { ZooKeeperError } from './errors.ts'
import { createFlag, opCode } from './jute/op-codes.ts'
import type { Acl } from './jute/records.ts'

/** What kind of node to create. */
export interface NodeOptions {
  /**
   * `persistent` stays; `ephemeral` goes with the session; `container` goes, some time after, when
   * its last child has gone.
   * @default 'persistent'
   */
  readonly mode?: 'persistent' | 'ephemeral' | 'container'
  /**
   * Whether the server appends a number of ten digits to the name, one higher each time.
   * @default false
   */
  readonly sequential?: boolean
  /**
   * A persistent node without children that was not changed for so many milliseconds is removed. The
   * server must allow it (`extendedTypesEnabled`).
   */
  readonly ttl?: number
  /**
   * Who may do what with the node.
   * @default everybody everything
   */
  readonly acl?: readonly Acl[]
}

/** A kind of node as it goes over the wire. */
export interface NodeKind {
  readonly type: typeof opCode.create2 | typeof opCode.createContainer | typeof opCode.createTtl
  readonly flags: number
  readonly ttl: bigint
  readonly acl: readonly Acl[]
  readonly isEphemeral: boolean
  readonly isSequential: boolean
}

/** The longest that a server can remember: 40 bits of milliseconds, some 35 years. */
const longestTtl = 2 ** 40 - 1

export function nodeKind(path: string, options: NodeOptions): NodeKind {
  const { mode = 'persistent', sequential = false, ttl, acl = openAcl } = options
  const kind = { acl, isEphemeral: mode === 'ephemeral', isSequential: sequential }
  if (ttl !== undefined) {
    if (mode !== 'persistent') throw invalid(path, `a node with a ttl is persistent, not ${mode}`)
    if (!Number.isInteger(ttl) || ttl < 1 || ttl > longestTtl) {
      throw invalid(path, `ttl must be a whole number from 1 to ${longestTtl}, not ${ttl}`)
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
