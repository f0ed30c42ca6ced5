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

/** Callbacks from a connection to its session. `closed` is called once and last. */
export interface ConnectionHandler {
  established(response: ConnectResponse): void
  /**
   * A reply carries the server's zxid: every event up to it has been delivered. A notification does not prove
   * this, although newer servers send a zxid with it: the notifications of one transaction arrive one by one.
   */
  advanced(zxid: bigint): void
  notified(event: WatcherEvent): void
  /** The server answered the oldest unanswered AUTH packet. */
  authAnswered(errno: number): void
  /** The server registered the watches of the oldest unanswered `sendWatches`. */
  watchesRegistered(): void
  /** Converts a moment of the monotonic clock, now or just before, into the session's lease time. */
  stamp(monotonic: number): number
  /** A ping was answered. `stamp` is when the ping was sent, or just before. */
  pingAnswered(stamp: number): void
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
   * The xid of the first request. Xids increase by one and continue with 1 after the largest.
   * @default 1
   */
  readonly firstXid?: number
}

const largestXid = 2 ** 31 - 1
/**
 * A batch of this size is written at once instead of at the end of the turn, so that the server can start on
 * it.
 */
const largeBatch = 64 * 1024

/**
 * One socket to one server: handshake, framing, requests with replies in order, pings. It does not reconnect.
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
  /** The send times of unanswered pings, stamped when sent because a suspension may follow. */
  readonly #pings: number[] = []
  readonly #takeFrame = (reader: JuteReader): boolean => this.#received(reader)
  readonly #flush = (): void => this.#write()
  #phase: 'opening' | 'handshake' | 'established' | 'closed' = 'opening'
  #xid: number
  #flushing = false
  #batchAt = 0
  #sentAt: number
  #heardAt: number
  #lastZxid: bigint | undefined
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

  /** The requests without a reply, oldest first. */
  get calls(): Iterable<Call> {
    return this.#calls
  }

  /** When the connection last received data, in monotonic time. */
  get heardAt(): number {
    return this.#heardAt
  }

  /** The server's zxid in its newest reply; undefined before the first one. */
  get lastZxid(): bigint | undefined {
    return this.#lastZxid
  }

  /** The send time of the requests in the current batch: never later than the real send time. */
  get batchAt(): number {
    return this.#flushing ? this.#batchAt : this.#clock.monotonic()
  }

  /** Removes and returns the requests without a reply, oldest first, for their owner to settle. */
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

  /** Authenticates; the handler receives the server's answer. */
  sendAuth(request: AuthRequest): void {
    this.#sendReserved(reservedXid.auth, authOperation, request)
  }

  /** Registers watches again; the server answers with notifications of missed events. */
  sendWatches<Request>(operation: Operation<Request, void>, request: Request): void {
    this.#sendReserved(reservedXid.setWatches, operation, request)
  }

  /** Closes the connection at once; the handler is not called any more. */
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

  /** Writes a frame into the batch, or leaves the batch unchanged and returns the error. */
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
        `the request has ${length} bytes, but the server accepts at most ${maxRequestBytes} (jute.maxbuffer) and would close the connection`,
      )
    }
    this.#scheduleFlush()
    return undefined
  }

  /**
   * Writes everything that is sent in one turn at once. A next tick scheduled in a microtask runs after all
   * microtasks, so a thousand continuations of a thousand replies share one write.
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
      throw new ZooKeeperError('ZK_UNEXPECTED_REPLY', 'the server sent data before the handshake')
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
    if (zxid > 0n && xid !== reservedXid.notification) {
      this.#lastZxid = zxid
      this.#handler.advanced(zxid)
    }
    switch (xid) {
      case reservedXid.notification:
        return this.#handler.notified(readWatcherEvent(reader))
      case reservedXid.ping:
        return this.#pingAnswered()
      case reservedXid.auth:
        return this.#handler.authAnswered(errno)
      case reservedXid.setWatches:
        if (errno !== 0) {
          throw new ZooKeeperError(
            'ZK_UNEXPECTED_REPLY',
            `the server answered setWatches with error ${errno}`,
          )
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
        `the server answered request ${xid}, but ${wanted} was expected`,
      )
    }
    // A malformed reply leaves its call in the queue, so that closing the connection settles it.
    if (errno === 0) call.succeed(reader, zxid)
    else call.refuse(errno, this.endpoint)
    this.#calls.shift()
  }

  /** Xids are consecutive, so the oldest unanswered one follows from the number of unanswered requests. */
  #expectedXid(): number {
    const oldest = this.#xid - this.#calls.length + 1
    return oldest >= 1 ? oldest : oldest + largestXid
  }

  /** Pings when nothing was sent for a third of the timeout; closes when nothing arrived for two thirds. */
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

  /** After a blocked event loop the answer may already be in the socket. */
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
    this.#pings.push(this.#handler.stamp(this.#batchAt))
  }

  #pingAnswered(): void {
    const stamp = this.#pings.shift()
    if (stamp !== undefined) this.#handler.pingAnswered(stamp)
  }

  #handshakeIsDue(): void {
    this.#clock.afterPoll(() => {
      if (this.pending === undefined) return
      const reason = `${this.pending} within ${this.#options.handshakeTimeout} ms`
      this.#fail(new ZooKeeperError('ZK_HANDSHAKE_TIMEOUT', reason))
    })
  }

  /** What the server has not done yet; undefined once it has answered the handshake. */
  get pending(): string | undefined {
    const server = describe(this.endpoint)
    if (this.#phase === 'opening') return `${server} did not accept the connection`
    if (this.#phase !== 'handshake') return undefined
    return `${server} accepted the connection but did not answer the handshake (it hangs, or it is not a ZooKeeper server)`
  }

  #streamClosed(error: Error | undefined): void {
    if (this.#phase === 'closed') return
    const server = describe(this.endpoint)
    const cause = error === undefined ? {} : { cause: error }
    if (this.#phase === 'handshake') {
      // A server does this when it is behind the zxid that this client has seen, or has too many connections.
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
