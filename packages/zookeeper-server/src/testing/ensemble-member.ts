import {
  type ConnectRequest,
  JuteReader,
  JuteWriter,
  MalformedRecordError,
  opCode,
  readConnectRequest,
  serverError,
} from '@elasticjob/zookeeper/protocol'
import type { ResolvedCoreOptions } from '../core-options.ts'
import type { ServerStream, ServerStreamHandler } from '../net/server-stream.ts'
import { Notifications } from '../notifications.ts'
import { LocalRequests } from '../request/local-requests.ts'
import { beginReply, writeReply } from '../request/replies.ts'
import { writeHandshake } from '../session/handshake.ts'
import { ServerState } from '../state.ts'
import type { SnapshotSession, Transaction } from '../transaction.ts'
import { Watches } from '../watch/watches.ts'
import type { Outcome, ToLeader, ToMember } from './ensemble-messages.ts'
import { MemberClient } from './member-client.ts'

/** A request that waits for the leader. */
interface Waiting {
  readonly client: MemberClient
  readonly xid: number
  readonly type: number
  /** The handshake of the request, if it is one. */
  readonly handshake?: { readonly timeout: number; readonly isOldClient: boolean }
  /** The path of the request, if it is a sync. */
  readonly path?: string | null
}

const writes: ReadonlySet<number> = new Set([
  opCode.create,
  opCode.create2,
  opCode.createContainer,
  opCode.createTtl,
  opCode.delete,
  opCode.deleteContainer,
  opCode.setData,
  opCode.setAcl,
  opCode.check,
  opCode.multi,
  opCode.reconfig,
])

/**
 * A server of an ensemble with its own copy of the state, which lags behind by the transactions that have not
 * arrived. It answers pings and reads itself, and forwards everything else to the leader.
 */
export class EnsembleMember {
  readonly state: ServerState
  readonly #options: ResolvedCoreOptions
  readonly #tellLeader: (message: ToLeader) => void
  readonly #onHeard: (sessionId: bigint, timeout: number) => void
  readonly #watches = new Watches()
  readonly #output = new JuteWriter()
  readonly #notifications = new Notifications(this.#output)
  /** The output of requests that are answered later. */
  readonly #answers = new JuteWriter()
  readonly #local: LocalRequests
  readonly #clients = new Set<MemberClient>()
  readonly #waiting = new Map<number, Waiting>()
  #nextRequest = 1

  constructor(
    options: ResolvedCoreOptions,
    tellLeader: (message: ToLeader) => void,
    onHeard: (sessionId: bigint, timeout: number) => void,
  ) {
    this.#options = options
    this.#tellLeader = tellLeader
    this.#onHeard = onHeard
    this.state = new ServerState(this.#watches)
    this.#local = new LocalRequests(this.state, this.#watches, this.#output, options)
  }

  accept(stream: ServerStream, address: string): ServerStreamHandler {
    const client = new MemberClient(stream, address, this.#notifications, {
      carryOut: (from, frame) => this.#carryOut(from, frame),
      onHeard: ({ peer }) => {
        if (peer.session !== undefined) this.#onHeard(peer.session.sessionId, peer.session.timeout)
      },
      onClosed: (gone) => this.#closed(gone),
    })
    this.#clients.add(client)
    return client
  }

  setSuspended(isSuspended: boolean): void {
    for (const client of this.#clients) client.setSuspended(isSuspended)
  }

  /** Closes all connections, like a server that has lost its leader. */
  dropClients(): void {
    for (const client of this.#clients) client.drop()
    this.#waiting.clear()
  }

  /** Closes the connection of a session, if it is connected here. */
  dropSession(sessionId: bigint): void {
    this.#clientOf(sessionId)?.drop()
  }

  handle(message: ToMember): void {
    switch (message.kind) {
      case 'commit':
        return this.#committed(message.transaction, message.outcome)
      case 'revalidated':
        return this.#answerHandshake(message.request, message.session)
      case 'synced':
        return this.#answer({ request: message.request, error: 0, body: new Uint8Array(0) })
      case 'moved':
        return this.dropSession(message.sessionId)
      case 'ping':
    }
  }

  #carryOut(client: MemberClient, frame: Buffer): void {
    const { peer } = client
    const reader = new JuteReader(frame)
    this.#notifications.current = peer
    try {
      if (peer.session === undefined) this.#handshake(client, readConnectRequest(reader))
      else this.#request(client, reader, frame)
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error
      client.drop()
    } finally {
      this.#notifications.current = undefined
      if (this.#output.length > 0) client.send(this.#output.take())
    }
  }

  #handshake(client: MemberClient, request: ConnectRequest): void {
    if (request.lastZxidSeen > BigInt(this.state.lastZxid)) return client.drop()
    const { minSessionTimeout, maxSessionTimeout } = this.#options
    const timeout = Math.min(Math.max(request.timeout, minSessionTimeout), maxSessionTimeout)
    const { sessionId, password } = request
    const handshake = { timeout, isOldClient: request.readOnly === undefined }
    const id = this.#wait({ client, xid: 0, type: opCode.createSession, handshake })
    if (sessionId === 0n) this.#tellLeader({ kind: 'createSession', request: id, timeout })
    else this.#tellLeader({ kind: 'revalidate', request: id, sessionId, password, timeout })
  }

  #request(client: MemberClient, reader: JuteReader, frame: Buffer): void {
    const { peer } = client
    const { sessionId, identities } = peer
    const xid = reader.int()
    const type = reader.int()
    if (type === opCode.closeSession) {
      const request = this.#wait({ client, xid, type })
      this.#tellLeader({ kind: 'closeSession', request, sessionId })
    } else if (type === opCode.sync) {
      const request = this.#wait({ client, xid, type, path: reader.string() })
      this.#tellLeader({ kind: 'sync', request })
    } else if (writes.has(type)) {
      const request = this.#wait({ client, xid, type })
      const body = Buffer.from(frame.subarray(8))
      this.#tellLeader({ kind: 'write', request, sessionId, identities, type, body })
    } else if (!this.#local.answer(type, peer, xid, reader)) {
      writeReply(this.#output, xid, -1, serverError.UNIMPLEMENTED)
      peer.close()
    }
  }

  #wait(waiting: Waiting): number {
    const request = this.#nextRequest++
    waiting.client.isWaiting = true
    this.#waiting.set(request, waiting)
    return request
  }

  #committed(transaction: Transaction, outcome: Outcome | undefined): void {
    if (transaction.zxid <= this.state.lastZxid) return
    this.state.applyTransaction(transaction)
    const { sessionId, body } = transaction
    const gone = body.kind === 'closeSession' ? this.#clientOf(sessionId) : undefined
    const waiting = outcome && this.#waiting.get(outcome.request)
    if (waiting?.type === opCode.createSession) {
      this.#answerHandshake(outcome?.request ?? 0, this.state.sessions.get(sessionId))
    } else if (outcome !== undefined) {
      this.#answer(outcome)
    }
    if (gone === undefined) return
    if (waiting?.client === gone) gone.peer.close()
    else gone.drop()
  }

  #answer({ request, error, body }: Outcome): void {
    const waiting = this.#take(request)
    if (waiting === undefined) return
    const { client, xid, type, path } = waiting
    const mark = beginReply(this.#answers, xid, this.state.lastZxid, error)
    if (type === opCode.sync) this.#answers.string(path ?? null)
    client.send(Buffer.concat([withLength(this.#answers, mark, body.length), body]))
    client.goOn()
  }

  #answerHandshake(request: number, session: SnapshotSession | undefined): void {
    const waiting = this.#take(request)
    if (waiting?.handshake === undefined) return
    const { client, handshake } = waiting
    const { timeout, isOldClient } = handshake
    const granted = session && { ...session, timeout }
    writeHandshake(this.#answers, granted, isOldClient)
    const answer = this.#answers.take()
    if (granted === undefined) {
      client.send(answer)
      return client.peer.close()
    }
    this.#clientOf(granted.sessionId)?.drop()
    client.peer.session = { ...granted, peer: client.peer }
    client.send(answer)
    client.goOn()
  }

  /** Takes the answered request, if its client is still connected. */
  #take(request: number): Waiting | undefined {
    const waiting = this.#waiting.get(request)
    if (waiting === undefined) return undefined
    this.#waiting.delete(request)
    waiting.client.isWaiting = false
    return this.#clients.has(waiting.client) ? waiting : undefined
  }

  #clientOf(sessionId: bigint): MemberClient | undefined {
    return [...this.#clients].find(({ peer }) => peer.session?.sessionId === sessionId)
  }

  #closed(client: MemberClient): void {
    this.#clients.delete(client)
    client.peer.isClosed = true
    this.#watches.removeAll(client.peer)
  }
}

/** The frame begun at `mark`, whose body of this length is sent separately. */
function withLength(writer: JuteWriter, mark: number, bodyLength: number): Buffer {
  const length = writer.endFrame(mark)
  const frame = writer.take()
  frame.writeInt32BE(length + bodyLength)
  return frame
}
