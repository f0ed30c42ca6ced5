import type { Transaction } from '../transaction.ts'
import type { Directory } from './directory.ts'
import { type EncodedRecord, RecordEncoder } from './log-record.ts'
import { Segment } from './segment.ts'

/** Who is told how far the log has got. */
export interface LogListener {
  /** Everything up to this zxid is durable now; it took so many bytes more. */
  written(zxid: number, bytes: number): void
  /** Nothing more will be written. Told once. */
  failed(error: Error): void
}

export interface LogWriterOptions {
  readonly directory: Directory
  readonly directoryId: bigint
  /** Whether durable means to outlast a loss of power, not only the end of the process. */
  readonly fsync: boolean
}

/** The longest frame, unless a single transaction is longer. */
const frameLimit = 4 * 1024 * 1024

/**
 * Appends to the log. While one write is under way transactions gather for the next, so that many
 * share a sync: the slower the disk, the more.
 */
export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #listener: LogListener
  readonly #encoder = new RecordEncoder()
  /** What is to be done in this order, before what the encoder has gathered. */
  readonly #steps: (() => Promise<void>)[] = []
  #segment: Segment
  #lastZxid: number
  #isRunning = false
  #error: Error | undefined

  /** Goes on in this segment after this transaction. */
  constructor(
    options: LogWriterOptions,
    listener: LogListener,
    segment: Segment,
    lastZxid: number,
  ) {
    this.#options = options
    this.#listener = listener
    this.#segment = segment
    this.#lastZxid = lastZxid
  }

  /** The last transaction that was appended, durable or not. */
  get lastZxid(): number {
    return this.#lastZxid
  }

  append(transaction: Transaction): void {
    if (this.#error !== undefined) return
    try {
      if (transaction.zxid !== this.#lastZxid + 1) {
        throw new Error(`transaction ${transaction.zxid} does not follow on ${this.#lastZxid}`)
      }
      this.#encoder.add(transaction)
      this.#lastZxid = transaction.zxid
      if (this.#encoder.length >= frameLimit) this.#cut()
      this.#wake()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Puts what comes from now on into a file of its own. */
  rotate(): Promise<void> {
    const nextZxid = this.#lastZxid + 1
    return this.#whenWritten(() => this.#rotate(nextZxid))
  }

  /** Resolves when all that was appended outlasts a loss of power, whatever `fsync` says. */
  sync(): Promise<void> {
    return this.#whenWritten(() => this.#segment.sync())
  }

  /** Resolves when all that was appended is durable, or cannot be any more, and the file is closed. */
  async close(): Promise<void> {
    await this.#whenWritten(async () => undefined).catch(() => undefined)
    await this.#segment.close()
  }

  #whenWritten(step: () => Promise<void>): Promise<void> {
    if (this.#error !== undefined) return Promise.reject(this.#error)
    this.#cut()
    return new Promise((resolve, reject) => {
      this.#steps.push(() => {
        const result = this.#error === undefined ? step() : Promise.reject(this.#error)
        result.then(resolve, reject)
        return result
      })
      this.#wake()
    })
  }

  /** What has been gathered becomes a frame of its own. */
  #cut(): void {
    const record = this.#encoder.take()
    if (record !== undefined) this.#steps.push(() => this.#write(record))
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    // Not at once: the requests that arrived together share the first write already.
    queueMicrotask(() => void this.#run())
  }

  async #run(): Promise<void> {
    for (let step = this.#nextStep(); step !== undefined; step = this.#nextStep()) {
      try {
        await step()
      } catch (error) {
        this.#fail(error as Error)
      }
    }
    this.#isRunning = false
  }

  #nextStep(): (() => Promise<void>) | undefined {
    if (this.#steps.length === 0) this.#cut()
    return this.#steps.shift()
  }

  async #write({ frame, lastZxid }: EncodedRecord): Promise<void> {
    if (this.#error !== undefined) return
    await this.#segment.append(frame)
    if (this.#options.fsync) await this.#segment.sync()
    this.#listener.written(lastZxid, frame.length)
  }

  async #rotate(nextZxid: number): Promise<void> {
    const { directory, directoryId } = this.#options
    const previous = this.#segment
    // Before the next file is there: a log that has a successor is never cut.
    await previous.sync()
    this.#segment = await Segment.create(directory, directoryId, nextZxid)
    try {
      await previous.seal(nextZxid)
    } finally {
      await previous.close()
    }
  }

  /** After a failed sync nobody knows what the disk has: trying again could call lost data durable. */
  #fail(error: Error): void {
    if (this.#error !== undefined) return
    this.#error = error
    this.#listener.failed(error)
  }
}
