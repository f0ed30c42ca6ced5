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

/** The faults that a test has asked for. */
export interface Interference {
  /** How long everything that is sent waits before it leaves, in milliseconds. */
  readonly delay: number
  /** Asked after each request: whether its answer is to be lost, with its connection. */
  losesReply(connection: Connection): boolean
}

/**
 * The core with what it lacks: connections, timers, and the patience to let nothing out that is not
 * durable yet.
 */
export class ServerRuntime
  implements ConnectionHost, DurabilityListener, ServerReport, SessionObserver
{
  readonly core: ServerCore
  readonly options: ResolvedServerOptions
  readonly statistics: Statistics = new Statistics()
  readonly events: EventEmitter<ServerEvents> = new EventEmitter()
  /** When the server started, by the wall clock. */
  readonly startedAt: number
  /** The port that is really listened on. */
  port: number
  interference: Interference | undefined
  readonly #clock: Clock
  readonly #durability: Durability | undefined
  readonly #connections = new Set<Connection>()
  readonly #perAddress = new Map<string, number>()
  readonly #handshakes: ExpiryQueue<Connection>
  #unflushed = new Set<Connection>()
  /** The connections that hold back what is not durable yet. */
  readonly #holding = new Set<Connection>()
  #timer: Timer | undefined
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

  /** Takes a client in, or tells why not; its stream is to be closed then. */
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

  /** Somebody could not be taken in. */
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

  /** Stops reading, answering and counting time, as a process that was stopped. */
  suspend(): void {
    this.#isSuspended = true
    this.#timer?.cancel()
    for (const connection of this.#connections) connection.setSuspended(true)
  }

  resume(): void {
    if (!this.#isSuspended) return
    this.#isSuspended = false
    // As in the real server, whose clock is looked at before the sockets are read: sessions end
    // although their clients' pings are waiting there.
    this.#advance()
    for (const connection of this.#connections) connection.setSuspended(false)
  }

  /** Ends all connections and timers, and the log once everything in it is durable. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#timer?.cancel()
    for (const connection of this.#connections) connection.drop()
    await this.#durability?.close()
  }

  #reasonToRefuse(fromAddress: number): string | undefined {
    const { maxConnections, maxConnectionsPerAddress } = this.options
    if (this.#connections.size >= maxConnections) return `more than ${maxConnections} connections`
    if (fromAddress > maxConnectionsPerAddress) {
      return `more than ${maxConnectionsPerAddress} connections from one address`
    }
    return undefined
  }

  #handshakeDone(peer: Peer | undefined): void {
    if (peer?.link instanceof Connection) this.#handshakes.remove(peer.link)
  }

  /** Wakes at every tick, at which sessions end, and when there is something to clean up. */
  #schedule(): void {
    if (this.#isClosed || this.#isSuspended) return
    const { tickTime } = this.core.options
    const now = this.monotonic()
    const nextTick = (Math.floor(now / tickTime) + 1) * tickTime
    const next = Math.min(nextTick, Math.max(this.core.nextCleanUp, now))
    this.#timer?.cancel()
    this.#timer = this.#clock.setTimer(() => {
      // Not before the sockets were read: after a block of the loop, what would have kept a session
      // alive may be waiting there.
      this.#clock.afterPoll(() => this.#advance())
    }, next - now)
  }

  #advance(): void {
    if (this.#isClosed || this.#isSuspended) return
    this.core.advance()
    for (const connection of this.#handshakes.takeExpired(this.monotonic())) {
      this.dropped(connection, 'no session was asked for in time')
      connection.drop()
    }
    this.flush()
    this.#schedule()
  }
}
