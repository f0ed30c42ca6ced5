import type { Random } from '@elasticjob/zookeeper'
import {
  type AclId,
  type JuteReader,
  JuteWriter,
  MalformedRecordError,
  opCode,
  operations,
  readConnectRequest,
  reservedXid,
  serverError,
  writeConnectResponse,
} from '@elasticjob/zookeeper/protocol'
import { superIdentity } from './acl/access.ts'
import { digestIdentity, schemeOf } from './acl/schemes.ts'
import { type CoreOptions, type ResolvedCoreOptions, resolveCoreOptions } from './core-options.ts'
import type { Durability } from './durability.ts'
import { Notifications } from './notifications.ts'
import { Peer, type PeerLink } from './peer.ts'
import { Reads } from './request/reads.ts'
import { Writes } from './request/writes.ts'
import { type LiveSession, SessionTable } from './session/session-table.ts'
import { ServerState } from './state.ts'
import type { NodeChange, TransactionBody } from './transaction.ts'
import { expiredNodes } from './tree/clean-up.ts'
import { Watches } from './watch/watches.ts'
import { writeLong } from './wire.ts'

/** What the core asks of the world outside. */
export interface CoreEnvironment {
  /** Wall-clock time for the times of nodes, and a clock that never jumps for the ends of sessions. */
  readonly clock: { now(): number; monotonic(): number }
  readonly random: Pick<Random, 'bytes'>
  /** Where transactions are made durable; nowhere, if absent. */
  readonly log?: Pick<Durability, 'append'> | undefined
}

/** Who is told of the beginnings and ends of sessions. */
export interface SessionObserver {
  sessionCreated(session: LiveSession): void
  sessionAttached(session: LiveSession): void
  sessionClosed(session: LiveSession, isExpired: boolean): void
}

const passwordLength = 16
const noPassword = new Uint8Array(passwordLength)

/**
 * A ZooKeeper server without network, timers or chance: frames and time go in, frames come out.
 * The same input gives the same output, byte for byte.
 */
export class ServerCore {
  readonly options: ResolvedCoreOptions
  readonly state: ServerState
  readonly sessions: SessionTable
  readonly watches: Watches = new Watches()
  /**
   * Where the answers to a request are written. Whoever hands in requests takes them from here
   * before handing in one of another client.
   */
  readonly output: JuteWriter = new JuteWriter()
  readonly notifications: Notifications = new Notifications(this.output)
  sessionObserver: SessionObserver | undefined
  readonly #environment: CoreEnvironment
  readonly #reads: Reads
  readonly #writes: Writes
  #nextCleanUp: number

  constructor(options: CoreOptions, environment: CoreEnvironment) {
    this.options = resolveCoreOptions(options)
    this.#environment = environment
    this.state = new ServerState(this.watches)
    this.sessions = new SessionTable(this.options.tickTime)
    this.#reads = new Reads(this.state.tree, this.watches, this.options.maxWatches)
    this.#writes = new Writes(
      this.state,
      {
        allowTtl: this.options.extendedTypes,
        enforceQuota: this.options.enforceQuota,
        fits: (bytes) => this.state.tree.dataSize + bytes <= this.options.maxDataBytes,
      },
      (sessionId, body, applied) => this.#commit(sessionId, body, applied),
    )
    this.#nextCleanUp = this.#monotonic() + this.options.cleanUpInterval
  }

  /** Takes up the sessions that were recovered: each gets its full timeout from now on. */
  resume(): void {
    this.state.tree.recount()
    for (const session of this.state.sessions.values()) {
      this.sessions.add(session, this.#monotonic())
    }
  }

  connect(link: PeerLink, address: string): Peer {
    return new Peer(link, address, this.notifications)
  }

  /** The connection is over. Its session goes on without it until it times out. */
  disconnect(peer: Peer): void {
    peer.isClosed = true
    this.watches.removeAll(peer)
    if (peer.session?.peer === peer) peer.session.peer = undefined
  }

  /** Bytes of this client have arrived: its session lives on. */
  heard(peer: Peer): void {
    if (peer.session !== undefined) this.sessions.touch(peer.session, this.#monotonic())
  }

  /**
   * Takes one frame of a client and writes what there is to answer to `output`. A frame that is
   * none costs its sender the connection.
   */
  receive(peer: Peer, reader: JuteReader): void {
    if (peer.isClosed) return
    this.notifications.current = peer
    try {
      if (peer.session === undefined) this.#handshake(peer, reader)
      else this.#request(peer, peer.session, reader)
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error
      peer.close()
    } finally {
      this.notifications.current = undefined
    }
  }

  /** When there is something to clean up next, by the monotonic clock. */
  get nextCleanUp(): number {
    return this.#nextCleanUp
  }

  /** Ends what has ended by now: sessions, empty containers, nodes past their time to live. */
  advance(): void {
    const now = this.#monotonic()
    for (const session of this.sessions.takeExpired(now)) this.expire(session)
    if (now < this.#nextCleanUp) return
    this.#nextCleanUp = now + this.options.cleanUpInterval
    for (const path of expiredNodes(this.state.tree, this.#environment.clock.now())) {
      this.#commit(0n, { kind: 'delete', path })
    }
  }

  /** Ends a session without its client having asked for it. */
  expire(session: LiveSession): void {
    const { peer } = session
    this.#closeSession(session, true)
    peer?.close()
  }

  #handshake(peer: Peer, reader: JuteReader): void {
    const request = readConnectRequest(reader)
    // A client that has seen more than this server has must not be served an older state.
    if (request.lastZxidSeen > BigInt(this.state.lastZxid)) return peer.close()
    const { minSessionTimeout, maxSessionTimeout } = this.options
    const timeout = Math.min(Math.max(request.timeout, minSessionTimeout), maxSessionTimeout)
    const session =
      request.sessionId === 0n
        ? this.#createSession(timeout)
        : this.#reattach(request.sessionId, request.password)
    const mark = this.output.beginFrame()
    writeConnectResponse(this.output, {
      timeout: session === undefined ? 0 : timeout,
      sessionId: session?.sessionId ?? 0n,
      password: session?.password ?? noPassword,
      readOnly: request.readOnly === undefined ? undefined : false,
    })
    this.output.endFrame(mark)
    if (session === undefined) return peer.close()
    session.timeout = timeout
    session.peer = peer
    peer.session = session
    peer.lastSessionId = session.sessionId
    this.sessions.touch(session, this.#monotonic())
    if (request.sessionId === 0n) this.sessionObserver?.sessionCreated(session)
    else this.sessionObserver?.sessionAttached(session)
  }

  #createSession(timeout: number): LiveSession {
    const sessionId = this.#nextSessionId()
    const password = this.#environment.random.bytes(passwordLength)
    this.#commit(sessionId, { kind: 'createSession', timeout, password })
    return this.sessions.add({ sessionId, password, timeout }, this.#monotonic())
  }

  /** The first connection of a session ends when a second one claims it, by whatever password. */
  #reattach(sessionId: bigint, password: Uint8Array): LiveSession | undefined {
    const session = this.sessions.get(sessionId)
    if (session === undefined) return undefined
    const previous = session.peer
    if (previous !== undefined) {
      previous.close()
      this.disconnect(previous)
    }
    return Buffer.compare(session.password, password) === 0 ? session : undefined
  }

  #request(peer: Peer, session: LiveSession, reader: JuteReader): void {
    const xid = reader.int()
    const type = reader.int()
    peer.lastXid = xid
    peer.lastType = type
    switch (type) {
      case opCode.ping:
        return this.#reply(reservedXid.ping, this.state.lastZxid, 0)
      case opCode.auth:
        return this.#authenticate(peer, xid, reader)
      case opCode.sasl:
        return this.#answerSasl(xid, reader)
      case opCode.setWatches:
      case opCode.setWatches2:
        return this.#setWatches(type, peer, xid, reader)
      case opCode.closeSession:
        this.#closeSession(session, false)
        this.#reply(xid, this.state.lastZxid, 0)
        return peer.close()
      default:
        if (this.#read(type, peer, xid, reader)) return
        if (this.#write(type, peer, xid, reader)) return
        this.#reply(xid, -1, serverError.UNIMPLEMENTED)
        peer.close()
    }
  }

  #read(type: number, peer: Peer, xid: number, reader: JuteReader): boolean {
    const { output } = this
    const mark = this.#beginReply(xid, this.state.lastZxid, 0)
    let error: number | undefined
    try {
      error = this.#reads.answer(type, peer, reader, output)
    } catch (failure) {
      if (!(failure instanceof MalformedRecordError)) throw failure
      error = serverError.MARSHALLING_ERROR
    }
    if (error === 0) {
      output.endFrame(mark)
      return true
    }
    output.rollback(mark)
    if (error === undefined) return false
    this.#reply(xid, this.state.lastZxid, error)
    return true
  }

  #write(type: number, peer: Peer, xid: number, reader: JuteReader): boolean {
    const outcome = this.#writes.carryOut(type, peer, reader)
    if (outcome === undefined) return false
    const mark = this.#beginReply(xid, this.state.lastZxid, outcome.error)
    outcome.writeBody?.(this.output)
    this.output.endFrame(mark)
    return true
  }

  #setWatches(type: number, peer: Peer, xid: number, reader: JuteReader): void {
    let error: number
    try {
      error = this.#reads.setWatches(type, peer, reader)
    } catch (failure) {
      if (!(failure instanceof MalformedRecordError)) throw failure
      error = serverError.MARSHALLING_ERROR
    }
    this.#reply(xid, this.state.lastZxid, error)
  }

  #authenticate(peer: Peer, xid: number, reader: JuteReader): void {
    const { scheme, auth } = operations.auth.readRequest(reader)
    for (const identity of this.#prove(peer, scheme, auth)) peer.addIdentity(identity)
    if (schemeOf(scheme) !== undefined) return this.#reply(xid, 0, 0)
    this.#reply(xid, 0, serverError.AUTH_FAILED)
    peer.close()
  }

  #prove(peer: Peer, scheme: string, auth: Uint8Array): AclId[] {
    if (scheme === 'ip') return [{ scheme, id: peer.address }]
    if (scheme !== 'digest') return []
    const id = digestIdentity(Buffer.from(auth).toString())
    const identity = { scheme, id }
    return id === this.options.superDigest ? [superIdentity, identity] : [identity]
  }

  /** A server that was not set up for SASL answers every token with none. */
  #answerSasl(xid: number, reader: JuteReader): void {
    operations.sasl.readRequest(reader)
    const mark = this.#beginReply(xid, 0, 0)
    operations.sasl.writeReply(this.output, null)
    this.output.endFrame(mark)
  }

  #closeSession(session: LiveSession, isExpired: boolean): void {
    const { sessionId } = session
    const ephemerals = [...this.state.tree.ephemeralsOf(sessionId)]
    this.#commit(sessionId, { kind: 'closeSession', ephemerals })
    this.sessions.remove(session)
    if (session.peer !== undefined) session.peer.session = undefined
    this.sessionObserver?.sessionClosed(session, isExpired)
  }

  #commit(sessionId: bigint, body: TransactionBody, applied?: (change: NodeChange) => void): void {
    const { clock, log } = this.#environment
    const zxid = this.state.lastZxid + 1
    const transaction = { zxid, time: Math.floor(clock.now()), sessionId, body }
    this.state.applyTransaction(transaction, applied)
    log?.append(transaction)
  }

  #reply(xid: number, zxid: number, error: number): void {
    this.output.endFrame(this.#beginReply(xid, zxid, error))
  }

  #beginReply(xid: number, zxid: number, error: number): number {
    const mark = this.output.beginFrame()
    this.output.int(xid)
    writeLong(this.output, zxid)
    this.output.int(error)
    return mark
  }

  /** Milliseconds since the epoch in the middle, so that a restart does not give out old ids. */
  #nextSessionId(): bigint {
    const time = BigInt.asUintN(40, BigInt(Math.floor(this.#environment.clock.now())))
    const first = (1n << 56n) | (time << 16n)
    const next = this.state.lastSessionId + 1n
    return next > first ? next : first
  }

  #monotonic(): number {
    return this.#environment.clock.monotonic()
  }
}
