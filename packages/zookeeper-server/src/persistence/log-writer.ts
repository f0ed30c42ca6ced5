import type { Transaction } from '../transaction.ts'
import type { Directory } from './directory.ts'
import { type EncodedRecord, RecordEncoder } from './log-record.ts'
import { Segment } from './segment.ts'

/** Receives the progress of the log. */
export interface LogListener {
  /** Everything up to this zxid is durable; this many bytes were added. */
  written(zxid: number, bytes: number): void
  /** The log failed and writes nothing more. Called once. */
  failed(error: Error): void
}

export interface LogWriterOptions {
  readonly directory: Directory
  readonly directoryId: bigint
  /** Whether durable means to survive a power failure, not only the end of the process. */
  readonly fsync: boolean
}

/** The maximum frame size, unless a single transaction is larger. */
const frameLimit = 4 * 1024 * 1024

/**
 * Appends to the log. Transactions that arrive during a write are collected for the next write, so that many
 * share a sync: the slower the disk, the more.
 */
export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #listener: LogListener
  readonly #encoder = new RecordEncoder()
  /** Steps to run in order, before the collected transactions are written. */
  readonly #steps: (() => Promise<void>)[] = []
  #segment: Segment
  #lastZxid: number
  #isRunning = false
  #error: Error | undefined

  /** Continues this segment after this transaction. */
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

  /** The last appended transaction, durable or not. */
  get lastZxid(): number {
    return this.#lastZxid
  }

  append(transaction: Transaction): void {
    if (this.#error !== undefined) return
    try {
      if (transaction.zxid !== this.#lastZxid + 1) {
        throw new Error(
          `transaction ${transaction.zxid} does not follow transaction ${this.#lastZxid}`,
        )
      }
      this.#encoder.add(transaction)
      this.#lastZxid = transaction.zxid
      if (this.#encoder.length >= frameLimit) this.#cut()
      this.#wake()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Continues the log in a new file. */
  rotate(): Promise<void> {
    const nextZxid = this.#lastZxid + 1
    return this.#whenWritten(() => this.#rotate(nextZxid))
  }

  /** Resolves when everything appended survives a power failure, regardless of `fsync`. */
  sync(): Promise<void> {
    return this.#whenWritten(() => this.#segment.sync())
  }

  /** Resolves when everything appended is durable, or has failed, and the file is closed. */
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

  /** Turns the collected transactions into a frame. */
  #cut(): void {
    const record = this.#encoder.take()
    if (record !== undefined) this.#steps.push(() => this.#write(record))
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    // Deferred, so that requests that arrived together share the first write.
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
    // Before the next file exists: a log file with a successor is never truncated.
    await previous.sync()
    this.#segment = await Segment.create(directory, directoryId, nextZxid)
    try {
      await previous.seal(nextZxid)
    } finally {
      await previous.close()
    }
  }

  /** After a failed sync the content of the disk is unknown: a retry could report lost data as durable. */
  #fail(error: Error): void {
    if (this.#error !== undefined) return
    this.#error = error
    this.#listener.failed(error)
  }
}
