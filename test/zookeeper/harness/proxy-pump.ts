import type { Socket } from 'node:net'
import { encodeFrame, FrameSplitter } from './frames.ts'

export type Direction = 'to-server' | 'to-client'

/** Forward the frame, lose it, or lose it and destroy its connection. */
export type FrameVerdict = 'pass' | 'swallow' | 'drop'

export interface ProxyFrame {
  /** The frame without its length. */
  readonly payload: Buffer
  /** Counts the frames of this connection and direction; 0 is the handshake. */
  readonly index: number
}

export type FrameJudge = (frame: ProxyFrame) => FrameVerdict

/** What a proxy does to all its connections right now. */
export interface ProxyRules {
  readonly held: Set<Direction>
  delayMs: number
}

/** Bytes, the orderly end of the stream, or the disappearance of its sender. */
type Shard = Buffer | 'end' | 'gone'

/**
 * Forwards one direction of a connection. Everything that happens at the source takes its place in
 * one queue, the end of the stream too: while the queue is held, the other side learns nothing.
 */
export class Pump {
  readonly #direction: Direction
  readonly #source: Socket
  readonly #sink: Socket
  readonly #rules: ProxyRules
  readonly #judge: FrameJudge | undefined
  readonly #splitter = new FrameSplitter()
  readonly #queue: { readonly shard: Shard; readonly receivedAt: number }[] = []
  #framesJudged = 0
  #timer: NodeJS.Timeout | undefined

  /** With a judge, the stream is cut into frames and each is judged when its turn has come. */
  constructor(
    direction: Direction,
    source: Socket,
    sink: Socket,
    rules: ProxyRules,
    judge: FrameJudge | undefined,
  ) {
    this.#direction = direction
    this.#source = source
    this.#sink = sink
    this.#rules = rules
    this.#judge = judge
    let ended = false
    source.on('data', (chunk) => this.#receive(chunk))
    source.on('end', () => {
      ended = true
      this.#enqueue('end')
    })
    source.on('close', (hadError) => {
      if (hadError || !ended) this.#enqueue('gone')
    })
    sink.on('drain', () => this.rulesChanged())
    sink.on('close', () => clearTimeout(this.#timer))
  }

  /** Stops or goes on, as the rules now say. */
  rulesChanged(): void {
    if (this.#isHeld) {
      this.#source.pause()
      return
    }
    this.#source.resume()
    this.#flush()
  }

  get #isHeld(): boolean {
    return this.#rules.held.has(this.#direction)
  }

  #receive(chunk: Buffer): void {
    const shards = this.#judge === undefined ? [chunk] : this.#splitter.push(chunk)
    for (const shard of shards) this.#enqueue(shard)
  }

  #enqueue(shard: Shard): void {
    this.#queue.push({ shard, receivedAt: performance.now() })
    this.#flush()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    for (;;) {
      const head = this.#queue[0]
      if (head === undefined || this.#isHeld || this.#sink.destroyed) return
      const early = head.receivedAt + this.#rules.delayMs - performance.now()
      if (early > 0) {
        this.#timer = setTimeout(() => this.#flush(), early)
        return
      }
      this.#queue.shift()
      this.#forward(head.shard)
    }
  }

  #forward(shard: Shard): void {
    if (shard === 'end') {
      this.#sink.end()
    } else if (shard === 'gone') {
      this.#sink.destroy()
    } else if (this.#judge === undefined) {
      this.#write(shard)
    } else {
      this.#carryOut(this.#judge({ payload: shard, index: this.#framesJudged++ }), shard)
    }
  }

  #carryOut(verdict: FrameVerdict, payload: Buffer): void {
    if (verdict === 'pass') this.#write(encodeFrame(payload))
    if (verdict === 'drop') {
      this.#source.destroy()
      this.#sink.destroy()
    }
  }

  #write(bytes: Buffer): void {
    if (!this.#sink.write(bytes)) this.#source.pause()
  }
}
