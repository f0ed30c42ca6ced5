import {
  type AclId,
  type JuteReader,
  type JuteWriter,
  MalformedRecordError,
  opCode,
  operations,
  reservedXid,
  serverError,
} from '@elasticjob/zookeeper/protocol'
import { superIdentity } from '../acl/access.ts'
import { digestIdentity, schemeOf } from '../acl/schemes.ts'
import type { ResolvedCoreOptions } from '../core-options.ts'
import type { Peer } from '../peer.ts'
import type { ServerState } from '../state.ts'
import type { Watches } from '../watch/watches.ts'
import { Reads } from './reads.ts'
import { beginReply, writeReply } from './replies.ts'

/** Answers requests that need no transaction. */
export class LocalRequests {
  readonly #state: ServerState
  readonly #output: JuteWriter
  readonly #reads: Reads
  readonly #superDigest: string | undefined

  constructor(
    state: ServerState,
    watches: Watches,
    output: JuteWriter,
    options: Pick<ResolvedCoreOptions, 'maxWatches' | 'superDigest'>,
  ) {
    this.#state = state
    this.#output = output
    this.#reads = new Reads(state.tree, watches, options.maxWatches)
    this.#superDigest = options.superDigest
  }

  /** Writes the answer to a request; returns false if the request is of another type. */
  answer(type: number, peer: Peer, xid: number, reader: JuteReader): boolean {
    switch (type) {
      case opCode.ping:
        this.#reply(reservedXid.ping, 0)
        return true
      case opCode.auth:
        this.#authenticate(peer, xid, reader)
        return true
      case opCode.sasl:
        this.#answerSasl(xid, reader)
        return true
      case opCode.setWatches:
      case opCode.setWatches2: {
        // Before the answer begins: missed events are sent first.
        const error = orMalformed(() => this.#reads.setWatches(type, peer, reader))
        this.#reply(xid, error)
        return true
      }
      default:
        return this.#read(type, peer, xid, reader)
    }
  }

  #read(type: number, peer: Peer, xid: number, reader: JuteReader): boolean {
    const mark = beginReply(this.#output, xid, this.#state.lastZxid, 0)
    const error = orMalformed(() => this.#reads.answer(type, peer, reader, this.#output))
    if (error === 0) {
      this.#output.endFrame(mark)
      return true
    }
    this.#output.rollback(mark)
    if (error === undefined) return false
    this.#reply(xid, error)
    return true
  }

  #authenticate(peer: Peer, xid: number, reader: JuteReader): void {
    const { scheme, auth } = operations.auth.readRequest(reader)
    for (const identity of this.#prove(peer, scheme, auth)) peer.addIdentity(identity)
    if (schemeOf(scheme) !== undefined) return writeReply(this.#output, xid, 0, 0)
    writeReply(this.#output, xid, 0, serverError.AUTH_FAILED)
    peer.close()
  }

  #prove(peer: Peer, scheme: string, auth: Uint8Array): AclId[] {
    if (scheme === 'ip') return [{ scheme, id: peer.address }]
    if (scheme !== 'digest') return []
    const id = digestIdentity(Buffer.from(auth).toString())
    const identity = { scheme, id }
    return id === this.#superDigest ? [superIdentity, identity] : [identity]
  }

  /** A server without SASL answers every token with an empty one. */
  #answerSasl(xid: number, reader: JuteReader): void {
    operations.sasl.readRequest(reader)
    const mark = beginReply(this.#output, xid, 0, 0)
    operations.sasl.writeReply(this.#output, null)
    this.#output.endFrame(mark)
  }

  #reply(xid: number, error: number): void {
    writeReply(this.#output, xid, this.#state.lastZxid, error)
  }
}

/** Returns the function's result, or the error of a malformed request. */
function orMalformed<T>(answer: () => T): T | number {
  try {
    return answer()
  } catch (error) {
    if (error instanceof MalformedRecordError) return serverError.MARSHALLING_ERROR
    throw error
  }
}
