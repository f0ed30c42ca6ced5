import { EventEmitter } from 'node:events'
import type { Clock, Timer } from '@elasticjob/zookeeper'
import type { Durability, DurabilityListener } from './durability.ts'
import type { ServerEvents } from './events.ts'
import { answerFourLetterWord } from './four-letter/answer.ts'
import type { ServerReport } from './four-letter/report.ts'
import { Connection, type ConnectionHost } from './net/connection.ts'
import type { ServerStream, ServerStreamHandler } from './net/server-stream.ts'
import type { Peer } from './peer.ts'
import type { ServerCore, SessionObserver } from './server-core.ts'
import type { ResolvedServerOptions } from './server-options.ts'
import { ExpiryQueue } from './session/expiry-queue.ts'
import type { LiveSession } from './session/session-table.ts'
import { Statistics } from './statistics.ts'

/** Rejected writes to a full tree are reported at most once in this many milliseconds. */
const quotaReportInterval = 60_000

/** The faults that a test has requested. */
export interface Interference {
  /** The delay of all output, in milliseconds. */
  readonly delay: number
  /** Called after each request: whether its answer is to be lost, together with its connection. */
  losesReply(connection: Connection): boolean
}

/** Adds connections and timers to the core, and holds back output that is not durable yet. */
export class ServerRuntime
  implements ConnectionHost, DurabilityListener, ServerReport, SessionObserver
{
  readonly core: ServerCore
  readonly options: ResolvedServerOptions
  readonly statistics: Statistics = new Statistics()
  readonly events: EventEmitter<ServerEvents> = new EventEmitter()
  /** When the server started, in wall-clock time. */
  readonly startedAt: number
  /** The actual port. */
  port: number
  interference: Interference | undefined
  readonly #clock: Clock
  readonly #durability: Durability | undefined
  readonly #connections = new Set<Connection>()
  readonly #perAddress = new Map<string, number>()
  readonly #handshakes: ExpiryQueue<Connection>
  #unflushed = new Set<Connection>()
  /** The connections with held output. */
  readonly #holding = new Set<Connection>()
  #timer: Timer | undefined
  /** Until when rejected writes are not reported. */
  #quotaQuietUntil = -Infinity
  #isSuspended = false
  #isClosed = false

  constructor(core: ServerCore, options: ResolvedServerOptions, durability?: Durability) {
    this.core = core
    this.options = options
    this.port = options.port
    this.#clock = options.clock
    this.#durability = durability
    this.startedAt = this.now()
    this.#handshakes = new ExpiryQueue(core.options.tickTime)
    core.sessionObserver = this
    core.onQuotaExceeded = (sessionId) => this.#quotaExceeded(sessionId)
    durability?.start(core.state, this)
    this.#schedule()
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections
  }

  get isSuspended(): boolean {
    return this.#isSuspended
  }

  get durableZxid(): number {
    return this.#durability?.durableZxid ?? Infinity
  }

  now(): number {
    return this.#clock.now()
  }

  monotonic(): number {
    return this.#clock.monotonic()
  }

  afterPoll(callback: () => void): void {
    this.#clock.afterPoll(callback)
  }

  /** Accepts a client, or reports why not; the caller then closes its stream. */
  accept(stream: ServerStream, address: string, port: number): ServerStreamHandler | undefined {
    const count = (this.#perAddress.get(address) ?? 0) + 1
    const reason = this.#reasonToRefuse(count)
    if (reason !== undefined) {
      this.refused(address, reason)
      return undefined
    }
    const connection = new Connection(this, stream, address, port)
    this.#perAddress.set(address, count)
    this.#connections.add(connection)
    this.#handshakes.touch(connection, this.monotonic(), this.options.handshakeTimeout)
    if (this.#isSuspended) connection.setSuspended(true)
    return connection
  }

  /** A client could not be accepted. */
  refused(address: string, reason: string): void {
    this.statistics.connectionsRefused++
    this.events.emit('connection:refused', { address, reason })
  }

  markUnflushed(connection: Connection): void {
    this.#unflushed.add(connection)
  }

  flush(): void {
    while (this.#unflushed.size > 0) {
      const unflushed = this.#unflushed
      this.#unflushed = new Set()
      for (const connection of unflushed) {
        connection.flush()
        if (connection.isHolding) this.#holding.add(connection)
      }
    }
  }

  whenItLeaves(callback: () => void): void {
    const delay = this.interference?.delay ?? 0
    if (delay === 0) callback()
    else this.#clock.setTimer(callback, delay)
  }

  losesReply(connection: Connection): boolean {
    return this.interference?.losesReply(connection) === true
  }

  fourLetterAnswer(word: number): string | undefined {
    return answerFourLetterWord(word, this)
  }

  dropped({ address }: Connection, reason: string): void {
    this.statistics.connectionsDropped++
    this.events.emit('connection:dropped', { address, reason })
  }

  closed(connection: Connection): void {
    const { address, peer } = connection
    const count = (this.#perAddress.get(address) ?? 1) - 1
    if (count === 0) this.#perAddress.delete(address)
    else this.#perAddress.set(address, count)
    this.#connections.delete(connection)
    this.#handshakes.remove(connection)
    this.#unflushed.delete(connection)
    this.#holding.delete(connection)
    this.core.disconnect(peer)
    this.events.emit('connection:closed', { address, sessionId: peer.lastSessionId })
  }

  durable(zxid: number): void {
    for (const connection of this.#holding) {
      connection.release(zxid)
      if (!connection.isHolding) this.#holding.delete(connection)
    }
  }

  failed(error: Error): void {
    this.events.emit('server:failed', { error })
  }

  sessionCreated({ sessionId, timeout, peer }: LiveSession): void {
    this.#handshakeDone(peer)
    this.events.emit('session:created', { sessionId, timeout })
  }

  sessionAttached({ sessionId, peer }: LiveSession): void {
    this.#handshakeDone(peer)
    this.events.emit('session:attached', { sessionId })
  }

  sessionClosed({ sessionId }: LiveSession, isExpired: boolean): void {
    this.events.emit('session:closed', { sessionId, isExpired })
  }

  /** Stops reading, answering and expiring, like a stopped process. */
  suspend(): void {
    this.#isSuspended = true
    this.#timer?.cancel()
    for (const connection of this.#connections) connection.setSuspended(true)
  }

  resume(): void {
    if (!this.#isSuspended) return
    this.#isSuspended = false
    // As in Apache ZooKeeper, which checks its clock before it reads its sockets: sessions expire although
    // pings of their clients are waiting there.
    this.#advance()
    for (const connection of this.#connections) connection.setSuspended(false)
  }

  /** Closes all connections and timers, and the log once it is durable. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#timer?.cancel()
    for (const connection of this.#connections) connection.drop()
    await this.#durability?.close()
  }

  #reasonToRefuse(fromAddress: number): string | undefined {
    const { maxConnections, maxConnectionsPerAddress } = this.options
    if (this.#connections.size >= maxConnections)
      return `more than ${maxConnections} connections (maxConnections)`
    if (fromAddress > maxConnectionsPerAddress) {
      return `more than ${maxConnectionsPerAddress} connections from one address (maxConnectionsPerAddress)`
    }
    return undefined
  }

  #quotaExceeded(sessionId: bigint): void {
    const now = this.monotonic()
    if (now < this.#quotaQuietUntil) return
    this.#quotaQuietUntil = now + quotaReportInterval
    const { usedBytes: bytes, nodeCount: nodes } = this.core.state.tree
    const { maxDataBytes, maxNodes } = this.core.options
    this.events.emit('quota:exceeded', { sessionId, bytes, maxDataBytes, nodes, maxNodes })
  }

  #handshakeDone(peer: Peer | undefined): void {
    if (peer?.link instanceof Connection) this.#handshakes.remove(peer.link)
  }

  /** Wakes at every tick to expire sessions, and when a clean-up is due. */
  #schedule(): void {
    if (this.#isClosed || this.#isSuspended) return
    const { tickTime } = this.core.options
    const now = this.monotonic()
    const nextTick = (Math.floor(now / tickTime) + 1) * tickTime
    const next = Math.min(nextTick, Math.max(this.core.nextCleanUp, now))
    this.#timer?.cancel()
    this.#timer = this.#clock.setTimer(() => {
      // Only after the sockets were read: after a blocked event loop, pings that keep a session alive may be
      // waiting there.
      this.#clock.afterPoll(() => this.#advance())
    }, next - now)
  }

  #advance(): void {
    if (this.#isClosed || this.#isSuspended) return
    this.core.advance()
    for (const connection of this.#handshakes.takeExpired(this.monotonic())) {
      this.dropped(connection, 'the client did not request a session in time (handshakeTimeout)')
      connection.drop()
    }
    this.flush()
    this.#schedule()
  }
}
