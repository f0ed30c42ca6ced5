import {
  type JuteReader,
  type JuteWriter,
  MalformedRecordError,
  opCode,
  operations,
  serverError,
} from '@elasticjob/zookeeper/protocol'
import type { ResolvedCoreOptions } from '../core-options.ts'
import type { ServerState } from '../state.ts'
import type { NodeChange, TransactionBody } from '../transaction.ts'
import { copyStat, type StatSource, writeStat } from '../tree/node.ts'
import { ownerKind } from '../tree/owner.ts'
import { type FailedMulti, prepareMulti } from './multi.ts'
import { writeErrorResult, writeResultHeader, writeResultsEnd } from './multi-results.ts'
import {
  noTtl,
  prepareCheck,
  prepareCreate,
  type Prepared,
  prepareDelete,
  prepareSetAcl,
  prepareSetData,
  type Requester,
  type WritePolicy,
} from './prepare.ts'

/** Creates a transaction, assigns its zxid, and applies it. */
export type Commit = (
  sessionId: bigint,
  body: TransactionBody,
  applied?: (change: NodeChange) => void,
) => void

/** The write limits in the server's options. */
export function writePolicy(options: ResolvedCoreOptions): WritePolicy {
  return {
    allowTtl: options.extendedTypes,
    enforceQuota: options.enforceQuota,
    maxDataBytes: options.maxDataBytes,
    maxNodes: options.maxNodes,
  }
}

/** The result of a write: an error, or a body to write. */
export interface WriteOutcome {
  readonly error: number
  readonly writeBody: ((writer: JuteWriter) => void) | undefined
}

const noChange: TransactionBody = Object.freeze({ kind: 'none' })

/** For a request that is parsed before it gets a zxid. */
const malformed: WriteOutcome = Object.freeze({
  error: serverError.MARSHALLING_ERROR,
  writeBody: undefined,
})

/**
 * Carries out write requests. Each becomes one transaction, even when it is rejected: a transaction without
 * changes then uses its zxid.
 */
export class Writes {
  readonly #state: ServerState
  readonly #policy: WritePolicy
  readonly #commit: Commit
  readonly #quotaExceeded: ((sessionId: bigint) => void) | undefined

  /** `quotaExceeded` is called for each write that a limit or a quota rejects. */
  constructor(
    state: ServerState,
    policy: WritePolicy,
    commit: Commit,
    quotaExceeded?: (sessionId: bigint) => void,
  ) {
    this.#state = state
    this.#policy = policy
    this.#commit = commit
    this.#quotaExceeded = quotaExceeded
  }

  /** Returns the outcome, or undefined if the request is not a write. */
  carryOut(type: number, requester: Requester, reader: JuteReader): WriteOutcome | undefined {
    try {
      switch (type) {
        case opCode.multi:
          return this.#multi(requester, operations.multi.readRequest(reader))
        case opCode.check: {
          const request = operations.check.readRequest(reader)
          return this.#refuse(requester, prepareCheck(this.#state.tree, requester, request))
        }
        case opCode.reconfig:
          if (!isReconfigRequest(reader)) return malformed
          return this.#refuse(requester, serverError.RECONFIG_DISABLED)
        // The server's own request. A client's request of this type is parsed so that its path is never
        // valid.
        case opCode.deleteContainer:
          return this.#refuse(requester, serverError.BAD_ARGUMENTS)
        default: {
          const prepared = this.#prepare(type, requester, reader)
          return prepared === undefined ? undefined : this.#change(type, requester, prepared)
        }
      }
    } catch (error) {
      if (error instanceof MalformedRecordError) {
        return this.#refuse(requester, serverError.MARSHALLING_ERROR)
      }
      throw error
    }
  }

  #prepare(type: number, requester: Requester, reader: JuteReader): Prepared | undefined {
    const { tree } = this.#state
    const policy = this.#policy
    switch (type) {
      case opCode.setData:
        return prepareSetData(tree, requester, policy, operations.setData.readRequest(reader))
      case opCode.create:
      case opCode.create2: {
        const request = operations.create.readRequest(reader)
        return prepareCreate(tree, requester, policy, 'plain', request, noTtl)
      }
      case opCode.createContainer: {
        const request = operations.createContainer.readRequest(reader)
        return prepareCreate(tree, requester, policy, 'container', request, noTtl)
      }
      case opCode.createTtl: {
        const request = operations.createTtl.readRequest(reader)
        return prepareCreate(tree, requester, policy, 'ttl', request, request.ttl)
      }
      case opCode.delete:
        return prepareDelete(tree, requester, operations.remove.readRequest(reader))
      case opCode.setAcl:
        return prepareSetAcl(tree, requester, policy, operations.setAcl.readRequest(reader))
      default:
        return undefined
    }
  }

  #change(type: number, requester: Requester, prepared: Prepared): WriteOutcome {
    if (typeof prepared === 'number') return this.#refuse(requester, prepared)
    this.#commit(requester.sessionId, prepared)
    const { path } = prepared
    switch (prepared.kind) {
      case 'create':
        return done((writer) => {
          writer.string(path)
          if (type !== opCode.create) writeCommittedStat(writer, this.#statAfter(prepared))
        })
      case 'delete':
        return done(undefined)
      default:
        return done((writer) => writeCommittedStat(writer, this.#state.tree.get(path)))
    }
  }

  #multi(requester: Requester, parts: Parameters<typeof prepareMulti>[3]): WriteOutcome {
    const prepared = prepareMulti(this.#state.tree, requester, this.#policy, parts)
    if (prepared === undefined) return this.#refuse(requester, serverError.MARSHALLING_ERROR)
    if ('error' in prepared) {
      this.#refuse(requester, prepared.error)
      return done((writer) => writeFailedResults(writer, parts.length, prepared))
    }
    // Copies each stat right after its change: a later change may affect the same node.
    const stats: (StatSource | undefined)[] = []
    const changes = prepared.changes.filter((change) => change !== undefined)
    this.#commit(requester.sessionId, { kind: 'multi', changes }, (change) => {
      stats.push(change.kind === 'delete' ? undefined : this.#statAfter(change))
    })
    return done((writer) => writeResults(writer, prepared.changes, stats))
  }

  #refuse(requester: Requester, error: number): WriteOutcome {
    this.#commit(requester.sessionId, noChange)
    if (error === serverError.QUOTA_EXCEEDED) this.#quotaExceeded?.(requester.sessionId)
    return { error, writeBody: undefined }
  }

  /**
   * A new node reports the data that it was created with, although quota counting may have changed it
   * already.
   */
  #statAfter(change: NodeChange): StatSource | undefined {
    const node = this.#state.tree.get(change.path)
    if (node === undefined) return undefined
    return copyStat(node, change.kind === 'create' ? (change.data?.length ?? 0) : node.dataLength)
  }
}

/** Joining and leaving servers or all members, and the configuration version. */
function isReconfigRequest(reader: JuteReader): boolean {
  try {
    for (let i = 0; i < 3; i++) reader.string()
    reader.long()
    return true
  } catch (error) {
    if (error instanceof MalformedRecordError) return false
    throw error
  }
}

function done(writeBody: WriteOutcome['writeBody']): WriteOutcome {
  return { error: 0, writeBody }
}

function writeFailedResults(writer: JuteWriter, count: number, { error, at }: FailedMulti): void {
  for (let i = 0; i < count; i++) {
    if (i < at) writeErrorResult(writer, 0)
    else writeErrorResult(writer, i === at ? error : serverError.RUNTIME_INCONSISTENCY)
  }
  writeResultsEnd(writer)
}

function writeResults(
  writer: JuteWriter,
  changes: readonly (NodeChange | undefined)[],
  stats: readonly (StatSource | undefined)[],
): void {
  let next = 0
  for (const change of changes) {
    const stat = change === undefined ? undefined : stats[next++]
    writeResult(writer, change, stat)
  }
  writeResultsEnd(writer)
}

/** As in 3.8, a plain create is answered without stat even when the stat was requested. */
function writeResult(
  writer: JuteWriter,
  change: NodeChange | undefined,
  stat: StatSource | undefined,
): void {
  if (change === undefined) return writeResultHeader(writer, opCode.check)
  if (change.kind === 'delete') return writeResultHeader(writer, opCode.delete)
  if (change.kind !== 'create') {
    writeResultHeader(writer, opCode.setData)
    return writeCommittedStat(writer, stat)
  }
  const kind = ownerKind(change.owner)
  const hasStat = kind === 'container' || kind === 'ttl'
  writeResultHeader(writer, hasStat ? opCode.create2 : opCode.create)
  writer.string(change.path)
  if (hasStat) writeCommittedStat(writer, stat)
}

function writeCommittedStat(writer: JuteWriter, stat: StatSource | undefined): void {
  if (stat === undefined) throw new Error('the node of a committed change is missing')
  writeStat(writer, stat)
}
