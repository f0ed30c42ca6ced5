import type { Random } from '@elasticjob/zookeeper'
import {
  type JuteReader,
  JuteWriter,
  MalformedRecordError,
  opCode,
  readConnectRequest,
  serverError,
} from '@elasticjob/zookeeper/protocol'
import { type CoreOptions, type ResolvedCoreOptions, resolveCoreOptions } from './core-options.ts'
import type { Durability } from './durability.ts'
import { Notifications } from './notifications.ts'
import { Peer, type PeerLink } from './peer.ts'
import { LocalRequests } from './request/local-requests.ts'
import { beginReply, writeReply } from './request/replies.ts'
import { writePolicy, Writes } from './request/writes.ts'
import { nextSessionId, passwordLength, writeHandshake } from './session/handshake.ts'
import { type LiveSession, SessionTable } from './session/session-table.ts'
import { ServerState } from './state.ts'
import type { NodeChange, TransactionBody } from './transaction.ts'
import { expiredNodes } from './tree/clean-up.ts'
import { Watches } from './watch/watches.ts'

/** The environment of the core. */
export interface CoreEnvironment {
  /** Wall-clock time for node times, and a monotonic clock for session expiry. */
  readonly clock: { now(): number; monotonic(): number }
  readonly random: Pick<Random, 'bytes'>
  /** Makes transactions durable; in memory only if absent. */
  readonly log?: Pick<Durability, 'append'> | undefined
}

/** Receives the start and end of sessions. */
export interface SessionObserver {
  sessionCreated(session: LiveSession): void
  sessionAttached(session: LiveSession): void
  sessionClosed(session: LiveSession, isExpired: boolean): void
}

/** The zxid in the answer to an unknown request. */
const noZxid = -1

/**
 * A ZooKeeper server without network, timers or randomness: frames and time go in, frames come out. The same
 * input gives the same output, byte for byte.
 */
export class ServerCore {
  readonly options: ResolvedCoreOptions
  readonly state: ServerState
  readonly sessions: SessionTable
  readonly watches: Watches = new Watches()
  /**
   * The answers to the current request. The caller takes them before it passes a request of another client.
   */
  readonly output: JuteWriter = new JuteWriter()
  readonly notifications: Notifications = new Notifications(this.output)
  sessionObserver: SessionObserver | undefined
  /** Called when a write of this session was rejected because of a limit or a quota. */
  onQuotaExceeded: ((sessionId: bigint) => void) | undefined
  readonly #environment: CoreEnvironment
  readonly #local: LocalRequests
  readonly #writes: Writes
  #nextCleanUp: number

  constructor(options: CoreOptions, environment: CoreEnvironment) {
    this.options = resolveCoreOptions(options)
    this.#environment = environment
    this.state = new ServerState(this.watches)
    this.sessions = new SessionTable(this.options.tickTime)
    this.#local = new LocalRequests(this.state, this.watches, this.output, this.options)
    this.#writes = new Writes(
      this.state,
      writePolicy(this.options),
      (sessionId, body, applied) => this.#commit(sessionId, body, applied),
      (sessionId) => this.onQuotaExceeded?.(sessionId),
    )
    this.#nextCleanUp = this.#monotonic() + this.options.cleanUpInterval
  }

  /** Activates recovered sessions: each gets its full timeout from now on. */
  resume(): void {
    this.state.tree.recount()
    for (const session of this.state.sessions.values()) {
      this.sessions.add(session, this.#monotonic())
    }
  }

  connect(link: PeerLink, address: string): Peer {
    return new Peer(link, address, this.notifications)
  }

  /** Handles the end of a connection. Its session continues until it times out. */
  disconnect(peer: Peer): void {
    peer.isClosed = true
    this.watches.removeAll(peer)
    if (peer.session?.peer === peer) peer.session.peer = undefined
  }

  /** Input of this client arrived: renew its session. */
  heard(peer: Peer): void {
    if (peer.session !== undefined) this.sessions.touch(peer.session, this.#monotonic())
  }

  /**
   * Processes one frame of a client and writes the answer to `output`. A malformed frame closes the
   * connection.
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
      // Not only when its socket is gone: other clients may query watches before that.
      if (peer.isClosed) this.disconnect(peer)
    }
  }

  /** The next clean-up, in monotonic time. */
  get nextCleanUp(): number {
    return this.#nextCleanUp
  }

  /** Expires sessions, and deletes empty containers and nodes past their TTL. */
  advance(): void {
    const now = this.#monotonic()
    for (const session of this.sessions.takeExpired(now)) this.expire(session)
    if (now < this.#nextCleanUp) return
    this.#nextCleanUp = now + this.options.cleanUpInterval
    for (const path of expiredNodes(this.state.tree, this.#environment.clock.now())) {
      this.#commit(0n, { kind: 'delete', path })
    }
  }

  /** Expires a session. */
  expire(session: LiveSession): void {
    const { peer } = session
    this.#closeSession(session, true)
    peer?.drop()
  }

  #handshake(peer: Peer, reader: JuteReader): void {
    const request = readConnectRequest(reader)
    // A client that has seen a newer state than this server must not be served.
    if (request.lastZxidSeen > BigInt(this.state.lastZxid)) return peer.close()
    const { minSessionTimeout, maxSessionTimeout } = this.options
    const timeout = Math.min(Math.max(request.timeout, minSessionTimeout), maxSessionTimeout)
    const session =
      request.sessionId === 0n
        ? this.#createSession(timeout)
        : this.#reattach(request.sessionId, request.password)
    const isOld = request.readOnly === undefined
    writeHandshake(this.output, session && { ...session, timeout }, isOld)
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
    const sessionId = nextSessionId(this.state.lastSessionId, this.#environment.clock.now())
    const password = this.#environment.random.bytes(passwordLength)
    this.#commit(sessionId, { kind: 'createSession', timeout, password })
    return this.sessions.add({ sessionId, password, timeout }, this.#monotonic())
  }

  /**
   * A session has one connection: a new one closes the former. Apache ZooKeeper closes the former even for a
   * wrong password; here a client that knows only the id cannot close another client's connection.
   */
  #reattach(sessionId: bigint, password: Uint8Array): LiveSession | undefined {
    const session = this.sessions.get(sessionId)
    if (session === undefined || Buffer.compare(session.password, password) !== 0) return undefined
    const previous = session.peer
    if (previous !== undefined) {
      previous.drop()
      this.disconnect(previous)
    }
    return session
  }

  #request(peer: Peer, session: LiveSession, reader: JuteReader): void {
    const xid = reader.int()
    const type = reader.int()
    peer.lastXid = xid
    peer.lastType = type
    if (type === opCode.closeSession) {
      this.#closeSession(session, false)
      writeReply(this.output, xid, this.state.lastZxid, 0)
      peer.close()
    } else if (
      !this.#local.answer(type, peer, xid, reader) &&
      !this.#write(type, peer, xid, reader)
    ) {
      writeReply(this.output, xid, noZxid, serverError.UNIMPLEMENTED)
      peer.close()
    }
  }

  #write(type: number, peer: Peer, xid: number, reader: JuteReader): boolean {
    const outcome = this.#writes.carryOut(type, peer, reader)
    if (outcome === undefined) return false
    const mark = beginReply(this.output, xid, this.state.lastZxid, outcome.error)
    outcome.writeBody?.(this.output)
    this.output.endFrame(mark)
    return true
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

  #monotonic(): number {
    return this.#environment.clock.monotonic()
  }
}
