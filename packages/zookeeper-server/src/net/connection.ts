import type { JuteReader } from '@elasticjob/zookeeper/protocol'
import type { Peer, PeerLink } from '../peer.ts'
import type { ServerCore } from '../server-core.ts'
import type { ResolvedLimits } from '../server-options.ts'
import { Statistics } from '../statistics.ts'
import { FrameDecoder } from './frame-decoder.ts'
import type { ServerStream, ServerStreamHandler } from './server-stream.ts'

/** The parts of the server that a connection uses. */
export interface ConnectionHost {
  readonly core: ServerCore
  readonly options: ResolvedLimits
  readonly statistics: Statistics
  /** Everything up to this zxid may be shown to clients. */
  readonly durableZxid: number
  /** Whether a test has suspended the server. */
  readonly isSuspended: boolean
  now(): number
  monotonic(): number
  /** The connection has output to send at the end of this turn. */
  markUnflushed(connection: Connection): void
  /** Sends the output of all connections. */
  flush(): void
  /** Calls back when bytes sent now should leave: at once, unless a test delays them. */
  whenItLeaves(callback: () => void): void
  /** Whether a test wants the answer to the current request to be lost. */
  losesReply(connection: Connection): boolean
  /** The answer to a four-letter word, if the word is answered. */
  fourLetterAnswer(word: number): string | undefined
  dropped(connection: Connection, reason: string): void
  closed(connection: Connection): void
}

/** Output that shows the state up to a zxid, held back until that zxid is durable. */
interface Held {
  readonly zxid: number
  readonly bytes: Uint8Array
  readonly requests: number
  readonly since: number
  /** Its memory use: the answers, and the requests that the log has not written yet. */
  readonly weight: number
}

/**
 * When more bytes than this wait for the disk or for the client, the server stops reading from that client.
 */
const pauseAbove = 1024 * 1024

/** A client's connection: splits input into frames and collects output. */
export class Connection implements PeerLink, ServerStreamHandler {
  readonly peer: Peer
  readonly address: string
  readonly port: number
  /** When it was opened, in wall-clock time. */
  readonly openedAt: number
  readonly statistics: Statistics = new Statistics()
  /** The zxid last sent to the client, and when, in monotonic time. */
  lastZxid = 0
  lastAnswerAt = 0
  readonly #host: ConnectionHost
  readonly #stream: ServerStream
  readonly #decoder: FrameDecoder
  readonly #onFrame = (frame: JuteReader): boolean => this.#take(frame)
  /** The output for the end of this turn, the number of requests in it, and since when they wait. */
  #outbox: Uint8Array[] = []
  #unanswered = 0
  #unansweredBytes = 0
  #since = 0
  #held: Held[] = []
  #heldBytes = 0
  #isPaused = false
  /** Whether the stream ends once all output is sent. */
  #isEnding = false
  #isEnded = false
  #isOver = false

  constructor(host: ConnectionHost, stream: ServerStream, address: string, port: number) {
    this.#host = host
    this.#stream = stream
    this.address = address
    this.port = port
    this.openedAt = host.now()
    this.#decoder = new FrameDecoder(host.options.maxPacketSize)
    this.peer = host.core.connect(this, address)
  }

  /** The number of requests whose answers are held back. */
  get outstanding(): number {
    return this.#held.reduce((sum, { requests }) => sum + requests, this.#unanswered)
  }

  get isHolding(): boolean {
    return this.#held.length > 0
  }

  received(chunk: Uint8Array): void {
    if (this.#isOver || this.#isEnding) return
    const host = this.#host
    this.#since = host.monotonic()
    this.#unansweredBytes += chunk.length
    host.core.heard(this.peer)
    this.#decoder.push(chunk, this.#onFrame)
    this.#takeReplies()
    if (this.#decoder.badLength !== undefined) this.#badLength(this.#decoder.badLength)
    host.flush()
    if (!this.#isOver && this.#backlog > pauseAbove) this.#pause()
  }

  drained(): void {
    this.#resumeIfRead()
  }

  closed(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#outbox = []
    this.#held = []
    this.#host.closed(this)
  }

  send(frame: Uint8Array): void {
    if (this.#isOver || this.#isEnding) return
    this.#count('sent')
    this.#outbox.push(frame)
    this.#host.markUnflushed(this)
  }

  close(): void {
    this.#isEnding = true
    this.#host.markUnflushed(this)
  }

  /** Closes the connection at once; unsent output is lost. */
  drop(): void {
    if (this.#isOver) return
    this.#stream.destroy()
    this.closed()
  }

  /** Sends collected output, as far as it is durable. */
  flush(): void {
    if (this.#isOver) return
    if (this.#outbox.length > 0) this.#hold()
    this.release(this.#host.durableZxid)
  }

  /** Sends the output held back for transactions that are durable now. */
  release(durableZxid: number): void {
    let released = 0
    for (const held of this.#held) {
      const { zxid, bytes, weight } = held
      if (zxid > durableZxid) break
      released++
      this.#heldBytes -= weight
      this.#answered(held)
      this.#host.whenItLeaves(() => this.#write(bytes))
    }
    if (released > 0) this.#held = this.#held.slice(released)
    if (this.isHolding) return
    if (!this.#isEnding) {
      this.#resumeIfRead()
    } else if (!this.#isEnded) {
      this.#isEnded = true
      this.#host.whenItLeaves(() => this.#end())
    }
  }

  /** Stops or resumes reading, for a suspended server. */
  setSuspended(isSuspended: boolean): void {
    if (isSuspended) this.#stream.pause()
    else if (!this.#isPaused) this.#stream.resume()
  }

  get #backlog(): number {
    return this.#heldBytes + this.#stream.unsent
  }

  #take(frame: JuteReader): boolean {
    const { core } = this.#host
    this.#unanswered++
    this.#count('received')
    const before = core.output.length
    try {
      core.receive(this.peer, frame)
    } catch (error) {
      // A bug in this server, triggered by this client: other clients must not suffer.
      this.#host.dropped(this, `a request failed with an internal error: ${String(error)}`)
      this.#lose(before)
      return false
    }
    this.#count('sent')
    if (this.#host.losesReply(this)) this.#lose(before)
    return !this.#isOver && !this.peer.isClosed
  }

  /** Closes the connection without the answers written since `mark`, but with those before. */
  #lose(mark: number): void {
    this.#host.core.output.rollback(mark)
    this.#takeReplies()
    this.#host.flush()
    this.drop()
  }

  #takeReplies(): void {
    const { output } = this.#host.core
    if (output.length === 0) return
    const bytes = output.take()
    if (this.#isOver) return
    this.#outbox.push(bytes)
    this.#host.markUnflushed(this)
  }

  /** Before the first frame, four letters are a command; they decode as an impossible length. */
  #badLength(length: number): void {
    const answer = this.statistics.received === 0 ? this.#host.fourLetterAnswer(length) : undefined
    if (answer === undefined) {
      this.#host.dropped(this, `it announced a frame of ${length} bytes`)
      this.drop()
      return
    }
    this.#outbox.push(Buffer.from(answer))
    this.peer.close()
  }

  #hold(): void {
    const [first] = this.#outbox
    const bytes =
      this.#outbox.length === 1 && first !== undefined ? first : Buffer.concat(this.#outbox)
    const zxid = this.#host.core.state.lastZxid
    const weight = bytes.length + this.#unansweredBytes
    this.#held.push({ zxid, bytes, requests: this.#unanswered, since: this.#since, weight })
    this.#heldBytes += weight
    this.#outbox = []
    this.#unanswered = 0
    this.#unansweredBytes = 0
  }

  #answered({ zxid, requests, since }: Held): void {
    if (requests === 0) return
    const now = this.#host.monotonic()
    this.lastZxid = zxid
    this.lastAnswerAt = now
    this.statistics.answered(requests, now - since)
    this.#host.statistics.answered(requests, now - since)
  }

  #count(what: 'received' | 'sent'): void {
    this.statistics[what]++
    this.#host.statistics[what]++
  }

  #write(bytes: Uint8Array): void {
    if (this.#isOver) return
    this.#stream.write(bytes)
    if (this.#stream.unsent <= this.#host.options.maxUnsentBytes) return
    this.#host.dropped(this, 'the client does not read its replies (maxUnsentBytes)')
    this.drop()
  }

  #end(): void {
    if (!this.#isOver) this.#stream.end()
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#stream.pause()
  }

  #resumeIfRead(): void {
    if (!this.#isPaused || this.#backlog > pauseAbove) return
    this.#isPaused = false
    if (!this.#host.isSuspended) this.#stream.resume()
  }
}
