import type { JuteReader } from '@elasticjob/zookeeper/protocol'
import type { Peer, PeerLink } from '../peer.ts'
import type { ServerCore } from '../server-core.ts'
import type { ResolvedLimits } from '../server-options.ts'
import { Statistics } from '../statistics.ts'
import { FrameDecoder } from './frame-decoder.ts'
import type { ServerStream, ServerStreamHandler } from './server-stream.ts'

/** What a connection needs of the server around it. */
export interface ConnectionHost {
  readonly core: ServerCore
  readonly options: ResolvedLimits
  readonly statistics: Statistics
  /** Everything up to this zxid may be told. */
  readonly durableZxid: number
  /** Whether the server plays dead. */
  readonly isSuspended: boolean
  now(): number
  monotonic(): number
  /** The connection has something to send at the end of this turn. */
  markUnflushed(connection: Connection): void
  /** Sends what all connections have to send. */
  flush(): void
  /** Calls back when bytes that are sent now shall leave: at once, unless a test wants otherwise. */
  whenItLeaves(callback: () => void): void
  /** Whether a test wants the answer to the request just carried out to be lost. */
  losesReply(connection: Connection): boolean
  /** The answer to a four-letter word, if it is one that is answered. */
  fourLetterAnswer(word: number): string | undefined
  dropped(connection: Connection, reason: string): void
  closed(connection: Connection): void
}

/** Bytes that tell of the state up to a zxid, and may not leave before that is durable. */
interface Held {
  readonly zxid: number
  readonly bytes: Uint8Array
  readonly requests: number
  readonly since: number
  /** What it keeps in memory: the answers, and the requests that the log has not written yet. */
  readonly weight: number
}

/**
 * Above so many bytes that wait, for the disk or for the client to read them, no further requests are
 * taken from that client.
 */
const pauseAbove = 1024 * 1024

/** A client's connection: cuts frames out of what arrives, and gathers what goes back. */
export class Connection implements PeerLink, ServerStreamHandler {
  readonly peer: Peer
  readonly address: string
  readonly port: number
  /** When it was opened, by the wall clock. */
  readonly openedAt: number
  readonly statistics: Statistics = new Statistics()
  /** The zxid that its client was last told, and when, by the monotonic clock. */
  lastZxid = 0
  lastAnswerAt = 0
  readonly #host: ConnectionHost
  readonly #stream: ServerStream
  readonly #decoder: FrameDecoder
  readonly #onFrame = (frame: JuteReader): boolean => this.#take(frame)
  /** What is to be sent at the end of this turn, and since when how many requests wait for it. */
  #outbox: Uint8Array[] = []
  #unanswered = 0
  #unansweredBytes = 0
  #since = 0
  #held: Held[] = []
  #heldBytes = 0
  #isPaused = false
  /** Whether the stream is to end once everything has been sent. */
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

  /** Requests that were taken and whose answers are held back. */
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

  /** Ends the connection at once; what is still to be sent is lost. */
  drop(): void {
    if (this.#isOver) return
    this.#stream.destroy()
    this.closed()
  }

  /** Sends what has gathered, as far as it may leave yet. */
  flush(): void {
    if (this.#isOver) return
    if (this.#outbox.length > 0) this.#hold()
    this.release(this.#host.durableZxid)
  }

  /** Sends what was held back for transactions that are durable now. */
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

  /** Stops and starts reading, for a server that plays dead. */
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
      // A defect of this server, met by what this client has sent: nobody else is to suffer for it.
      this.#host.dropped(this, `its request failed: ${String(error)}`)
      this.#lose(before)
      return false
    }
    this.#count('sent')
    if (this.#host.losesReply(this)) this.#lose(before)
    return !this.#isOver && !this.peer.isClosed
  }

  /** Ends the connection without the answers written since `mark`, though with those before. */
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

  /** Before the first frame, four letters are a command; they look like an impossible length. */
  #badLength(length: number): void {
    const answer = this.statistics.received === 0 ? this.#host.fourLetterAnswer(length) : undefined
    if (answer === undefined) {
      this.#host.dropped(this, `a frame of ${length} bytes`)
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
    this.#host.dropped(this, 'it does not read what it is sent')
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
