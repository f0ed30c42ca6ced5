import type { Clock, Timer } from '../clock.ts'
import { ZooKeeperError } from '../errors.ts'
import { Fifo } from '../fifo.ts'
import { MalformedRecordError } from '../jute/malformed.ts'
import { opCode, reservedXid } from '../jute/op-codes.ts'
import type { Operation } from '../jute/operation.ts'
import type { JuteReader } from '../jute/reader.ts'
import {
  type ConnectRequest,
  type ConnectResponse,
  readConnectResponse,
  readWatcherEvent,
  type WatcherEvent,
  writeConnectRequest,
} from '../jute/records.ts'
import { auth as authOperation, type AuthRequest } from '../jute/session-operations.ts'
import { JuteWriter } from '../jute/writer.ts'
import type { Call } from './call.ts'
import { FrameSplitter } from './frame-splitter.ts'
import type { ByteStream, Endpoint, Transport } from './transport.ts'

/** What a connection tells its session. Nothing is told after `closed`, which is told once. */
export interface ConnectionHandler {
  established(response: ConnectResponse): void
  /**
   * A reply carries the server's zxid: all that happened up to it has been told. A notification proves
   * no such thing, though newer servers send a zxid with it: those of a transaction come one by one.
   */
  advanced(zxid: bigint): void
  notified(event: WatcherEvent): void
  /** The server's word on the oldest AUTH that it has not answered yet. */
  authAnswered(errno: number): void
  /** The server has registered the watches of the oldest `sendWatches` that it had not answered yet. */
  watchesRegistered(): void
  /** A ping has been answered that was sent at this moment of the clock's monotonic time, or just after it. */
  pingAnswered(sentAt: number): void
  closed(error: ZooKeeperError): void
}

export interface ConnectionOptions {
  readonly clock: Clock
  readonly transport: Transport
  readonly endpoint: Endpoint
  readonly handshake: ConnectRequest
  readonly handshakeTimeout: number
  readonly maxFrameBytes: number
  readonly maxRequestBytes: number
  /**
   * The number of the first request. They count up from it, and from 1 again after the largest.
   * @default 1
   */
  readonly firstXid?: number
}

const largestXid = 2 ** 31 - 1
/** From so many bytes on a batch does not wait for the end of the turn: the server can begin with it. */
const largeBatch = 64 * 1024

/**
 * One socket to one server: handshake, framing, requests and their replies in order, pings. It lives
 * once and knows nothing of reconnecting.
 */
export class Connection {
  readonly endpoint: Endpoint
  readonly #options: ConnectionOptions
  readonly #clock: Clock
  readonly #handler: ConnectionHandler
  readonly #stream: ByteStream
  readonly #frames: FrameSplitter
  readonly #writer = new JuteWriter()
  readonly #calls = new Fifo<Call>()
  /** When the pings were sent that wait for their answer. */
  readonly #pings: number[] = []
  readonly #takeFrame = (reader: JuteReader): boolean => this.#received(reader)
  readonly #flush = (): void => this.#write()
  #phase: 'opening' | 'handshake' | 'established' | 'closed' = 'opening'
  #xid: number
  #flushing = false
  #batchAt = 0
  #sentAt: number
  #heardAt: number
  #timeout = 0
  #timer: Timer | undefined

  constructor(options: ConnectionOptions, handler: ConnectionHandler) {
    this.endpoint = options.endpoint
    this.#options = options
    this.#clock = options.clock
    this.#handler = handler
    this.#xid = (options.firstXid ?? 1) - 1
    this.#frames = new FrameSplitter(options.maxFrameBytes)
    this.#sentAt = this.#clock.monotonic()
    this.#heardAt = this.#sentAt
    this.#timer = this.#clock.setTimer(() => this.#handshakeIsDue(), options.handshakeTimeout)
    this.#stream = options.transport.connect(options.endpoint, {
      opened: () => this.#opened(),
      received: (chunk) => this.#receivedChunk(chunk),
      closed: (error) => this.#streamClosed(error),
    })
  }

  get isOpen(): boolean {
    return this.#phase !== 'closed'
  }

  /** The requests that wait for their reply, oldest first. */
  get calls(): Iterable<Call> {
    return this.#calls
  }

  /** When the server was last heard, in the clock's monotonic time. */
  get heardAt(): number {
    return this.#heardAt
  }

  /** The moment the requests encoded now count as sent: never later than they really are. */
  get batchAt(): number {
    return this.#flushing ? this.#batchAt : this.#clock.monotonic()
  }

  /** Takes out the requests that wait for their reply, oldest first; for their owner to settle. */
  takeCalls(): Call[] {
    return this.#calls.drain()
  }

  send(call: Call): void {
    const xid = this.#xid === largestXid ? 1 : this.#xid + 1
    const failure = this.#frame(xid, call.code, (writer) => call.writeRequest(writer))
    if (failure === undefined) {
      this.#xid = xid
      this.#calls.push(call)
      if (this.#writer.length >= largeBatch) this.#write()
    } else {
      call.fail(failure)
    }
  }

  /** Proves an identity; the server's answer comes through the handler. */
  sendAuth(request: AuthRequest): void {
    this.#sendReserved(reservedXid.auth, authOperation, request)
  }

  /** Registers watches again; the server answers with notifications of what was missed. */
  sendWatches<Request>(operation: Operation<Request, void>, request: Request): void {
    this.#sendReserved(reservedXid.setWatches, operation, request)
  }

  /** Drops the connection without a word; the handler hears nothing more. */
  destroy(): void {
    if (this.#phase === 'closed') return
    this.#phase = 'closed'
    this.#timer?.cancel()
    this.#stream.destroy()
  }

  #sendReserved<Request>(xid: number, operation: Operation<Request, void>, request: Request): void {
    const failure = this.#frame(xid, operation.code, (writer) =>
      operation.writeRequest(writer, request),
    )
    if (failure !== undefined) this.#fail(failure)
  }

  /** Writes a frame into the batch, or leaves the batch as it was and answers why not. */
  #frame(
    xid: number,
    code: number,
    body: (writer: JuteWriter) => void,
  ): ZooKeeperError | undefined {
    const writer = this.#writer
    const mark = writer.beginFrame()
    writer.int(xid)
    writer.int(code)
    try {
      body(writer)
    } catch (error) {
      writer.rollback(mark)
      return new ZooKeeperError(
        'ZK_INVALID_ARGUMENT',
        `the request cannot be encoded: ${String(error)}`,
        {
          cause: error,
        },
      )
    }
    const length = writer.endFrame(mark)
    const { maxRequestBytes } = this.#options
    if (length > maxRequestBytes) {
      writer.rollback(mark)
      return new ZooKeeperError(
        'ZK_REQUEST_TOO_LARGE',
        `the request has ${length} bytes, a server takes ${maxRequestBytes} (its jute.maxbuffer) and would close the connection`,
      )
    }
    this.#scheduleFlush()
    return undefined
  }

  /**
   * One write for all that is sent in a turn. From within a microtask, a next tick comes after all
   * the microtasks: a thousand continuations of a thousand replies share one write.
   */
  #scheduleFlush(): void {
    if (this.#flushing) return
    this.#flushing = true
    this.#batchAt = this.#clock.monotonic()
    process.nextTick(this.#flush)
  }

  #write(): void {
    this.#flushing = false
    if (this.#phase === 'closed' || this.#writer.length === 0) return
    this.#sentAt = this.#batchAt
    this.#stream.write(this.#writer.take())
  }

  #opened(): void {
    if (this.#phase !== 'opening') return
    this.#phase = 'handshake'
    const mark = this.#writer.beginFrame()
    writeConnectRequest(this.#writer, this.#options.handshake)
    this.#writer.endFrame(mark)
    this.#scheduleFlush()
  }

  #receivedChunk(chunk: Uint8Array): void {
    if (this.#phase === 'closed') return
    this.#heardAt = this.#clock.monotonic()
    try {
      this.#frames.push(chunk, this.#takeFrame)
    } catch (error) {
      this.#fail(asProtocolError(error))
    }
  }

  #received(reader: JuteReader): boolean {
    if (this.#phase === 'established') this.#receivedReply(reader)
    else this.#receivedHandshake(reader)
    return this.#phase !== 'closed'
  }

  #receivedHandshake(reader: JuteReader): void {
    if (this.#phase !== 'handshake') {
      throw new ZooKeeperError('ZK_UNEXPECTED_REPLY', 'the server spoke before the handshake')
    }
    const response = readConnectResponse(reader)
    this.#phase = 'established'
    this.#timer?.cancel()
    this.#timeout = response.timeout
    if (response.timeout > 0) this.#watch()
    this.#handler.established(response)
  }

  #receivedReply(reader: JuteReader): void {
    const xid = reader.int()
    const zxid = reader.long()
    const errno = reader.int()
    if (zxid > 0n && xid !== reservedXid.notification) this.#handler.advanced(zxid)
    switch (xid) {
      case reservedXid.notification:
        return this.#handler.notified(readWatcherEvent(reader))
      case reservedXid.ping:
        return this.#pingAnswered()
      case reservedXid.auth:
        return this.#handler.authAnswered(errno)
      case reservedXid.setWatches:
        if (errno !== 0) {
          throw new ZooKeeperError('ZK_UNEXPECTED_REPLY', `setWatches was answered with ${errno}`)
        }
        return this.#handler.watchesRegistered()
      default:
        this.#settle(xid, zxid, errno, reader)
    }
  }

  #settle(xid: number, zxid: bigint, errno: number, reader: JuteReader): void {
    const call = this.#calls.peek()
    const expected = this.#expectedXid()
    if (call === undefined || xid !== expected) {
      const wanted = call === undefined ? 'no reply' : `the reply to request ${expected}`
      throw new ZooKeeperError(
        'ZK_UNEXPECTED_REPLY',
        `the server answered request ${xid}, but ${wanted} was due`,
      )
    }
    // A malformed reply leaves its call in the queue, so that it is settled with the connection.
    if (errno === 0) call.succeed(reader, zxid)
    else call.refuse(errno, zxid)
    this.#calls.shift()
  }

  /** Xids are handed out in order, so the oldest one outstanding follows from how many there are. */
  #expectedXid(): number {
    const oldest = this.#xid - this.#calls.length + 1
    return oldest >= 1 ? oldest : oldest + largestXid
  }

  /** Pings when nothing was sent for a third of the timeout; gives up when nothing came for two. */
  #watch(): void {
    const now = this.#clock.monotonic()
    const silence = this.#heardAt + (this.#timeout * 2) / 3 - now
    const idle = this.#sentAt + this.#timeout / 3 - now
    if (silence <= 0) {
      this.#clock.afterPoll(() => this.#decideSilence())
      return
    }
    if (idle <= 0) this.#ping()
    const next = idle <= 0 ? Math.min(silence, this.#timeout / 3) : Math.min(silence, idle)
    this.#timer = this.#clock.setTimer(() => this.#watch(), next)
  }

  /** After a blocked event loop the answer may have been waiting in the socket all the time. */
  #decideSilence(): void {
    if (this.#phase !== 'established') return
    const silent = this.#clock.monotonic() - this.#heardAt
    if (silent < (this.#timeout * 2) / 3) {
      this.#watch()
      return
    }
    this.#fail(
      new ZooKeeperError(
        'ZK_READ_TIMEOUT',
        `nothing heard from ${describe(this.endpoint)} for ${Math.round(silent)} ms, two thirds of the session timeout of ${this.#timeout} ms`,
      ),
    )
  }

  #ping(): void {
    this.#frame(reservedXid.ping, opCode.ping, () => {})
    this.#pings.push(this.#batchAt)
  }

  #pingAnswered(): void {
    const sentAt = this.#pings.shift()
    if (sentAt !== undefined) this.#handler.pingAnswered(sentAt)
  }

  #handshakeIsDue(): void {
    this.#clock.afterPoll(() => {
      if (this.#phase !== 'opening' && this.#phase !== 'handshake') return
      const missing = this.#phase === 'opening' ? 'a connection' : 'an answer to the handshake'
      this.#fail(
        new ZooKeeperError(
          'ZK_HANDSHAKE_TIMEOUT',
          `${describe(this.endpoint)} did not give ${missing} within ${this.#options.handshakeTimeout} ms`,
        ),
      )
    })
  }

  #streamClosed(error: Error | undefined): void {
    if (this.#phase === 'closed') return
    const server = describe(this.endpoint)
    const cause = error === undefined ? {} : { cause: error }
    if (this.#phase === 'handshake') {
      // What a server does that is behind what this client has seen, or full.
      const reason = `${server} closed the connection without answering the handshake`
      this.#fail(new ZooKeeperError('ZK_HANDSHAKE_REFUSED', reason, cause))
      return
    }
    const reason =
      error === undefined
        ? `${server} closed the connection`
        : `the connection to ${server} failed: ${error.message}`
    this.#fail(new ZooKeeperError('ZK_CONNECTION_CLOSED', reason, cause))
  }

  #fail(error: ZooKeeperError): void {
    if (this.#phase === 'closed') return
    this.destroy()
    this.#handler.closed(error)
  }
}

export function describe({ address, host, port }: Endpoint): string {
  const shown = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  return host === address ? shown : `${host}:${port} (${shown})`
}

function asProtocolError(error: unknown): ZooKeeperError {
  if (error instanceof ZooKeeperError) return error
  const reason = error instanceof MalformedRecordError ? error.message : String(error)
  return new ZooKeeperError('ZK_MALFORMED_FRAME', `the server sent a malformed frame: ${reason}`, {
    cause: error,
  })
}
