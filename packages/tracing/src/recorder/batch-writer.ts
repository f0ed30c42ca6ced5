/** Writes queued records to the database, one batch at a time, with retries. */
import type { Clock, Timer } from '@elasticjob/core'

import { HistoryError } from '../errors.ts'
import type { Batch } from '../store/records.ts'
import type { Entry } from './entry.ts'
import { type Mutable, noRows, type RowCounts } from './metrics.ts'
import type { HistoryQueue } from './history-queue.ts'

export interface WriterLimits {
  /** The maximum number of entries in a batch. */
  readonly batchEntries: number
  /** The approximate memory of a batch, in bytes. */
  readonly batchBytes: number
  /** How long a new entry waits for more, in milliseconds. */
  readonly interval: number
  /** The first and the longest pause between failed attempts, in milliseconds. */
  readonly firstPause: number
  readonly longestPause: number
}

export interface WriterHost {
  readonly clock: Clock
  /** The writer's unique name in the database. */
  readonly name: string
  write(batch: Batch): Promise<unknown>
  /** Whether more entries are about to arrive: the writer then waits until it is woken. */
  isBusy(): boolean
  /** A write failed; the same batch is retried. */
  failed(error: unknown, inARow: number): void
  /** A write succeeded after failures. */
  recovered(failures: number): void
  /** A record that no table can store was skipped. */
  refused(error: HistoryError): void
}

/** A batch in progress, kept unchanged for retries because its outcome may be unknown. */
interface Pending {
  readonly entries: readonly Entry[]
  batch: Batch | undefined
}

export class BatchWriter {
  readonly #queue: HistoryQueue
  readonly #limits: WriterLimits
  readonly #host: WriterHost
  readonly #written: Mutable<RowCounts> = { ...noRows }
  #pending: Pending[] = []
  #sequence = 0
  #batches = 0
  #refused = 0
  #inARow = 0
  #failures = 0
  #lastError: unknown
  #lastWrittenAt: number | undefined
  #timer: Timer | undefined
  /** When pending entries are due, in monotonic time. */
  #dueAt: number | undefined
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(queue: HistoryQueue, limits: WriterLimits, host: WriterHost) {
    this.#queue = queue
    this.#limits = limits
    this.#host = host
  }

  get metrics(): {
    readonly written: RowCounts
    readonly refused: number
    readonly batches: number
    readonly failures: { readonly inARow: number; readonly total: number }
    readonly lastError: unknown
    readonly lastWrittenAt: number | undefined
  } {
    return {
      written: { ...this.#written },
      refused: this.#refused,
      batches: this.#batches,
      failures: { inARow: this.#inARow, total: this.#failures },
      lastError: this.#lastError,
      lastWrittenAt: this.#lastWrittenAt,
    }
  }

  /** New entries wait, the oldest since this monotonic time. */
  wake(since: number): void {
    // A running writer looks for more when it is done.
    if (this.#isClosed || this.#working !== undefined) return
    const dueAt = this.#hasFullBatch ? since : since + this.#limits.interval
    if (this.#dueAt === undefined) this.#beginAt(dueAt)
    // A failed batch is retried after its pause, whatever arrives meanwhile.
    else this.#beginAt(this.#pending.length > 0 ? this.#dueAt : Math.min(dueAt, this.#dueAt))
  }

  /** Writes all pending entries, within the time limit. */
  async flush(limit: number): Promise<void> {
    const { clock } = this.#host
    const deadline = clock.monotonic() + limit
    while (this.#hasWork && clock.monotonic() < deadline) {
      this.#begin()
      await this.#within(deadline - clock.monotonic(), this.#working)
      const pause = Math.min(this.#limits.firstPause, deadline - clock.monotonic())
      if (this.#pending.length > 0 && this.#working === undefined) await this.#within(pause)
    }
  }

  /** Stops writing; remaining entries count as dropped. */
  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    for (const { entries } of this.#pending) this.#queue.giveUp(entries)
    this.#pending = []
    this.#queue.clear()
  }

  get #hasWork(): boolean {
    return !this.#isClosed && this.#queue.length + this.#pending.length > 0
  }

  get #hasFullBatch(): boolean {
    return this.#queue.length >= this.#limits.batchEntries
  }

  /** Waits for the work, within the time limit. */
  #within(limit: number, work?: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#host.clock.setTimer(resolve, Math.max(0, limit))
      void work?.then(() => {
        timer.cancel()
        resolve()
      })
    })
  }

  #beginAt(time: number): void {
    const { clock } = this.#host
    this.#timer?.cancel()
    this.#dueAt = time
    this.#timer = clock.setTimer(() => this.#ring(), Math.max(0, time - clock.monotonic()))
  }

  #ring(): void {
    // Jobs are starting, and this work would delay them. It stays due.
    if (!this.#host.isBusy()) this.#begin()
  }

  #begin(): void {
    if (this.#isClosed || this.#working !== undefined) return
    this.#timer?.cancel()
    this.#dueAt = undefined
    this.#working = this.#writeAll().finally(() => {
      this.#working = undefined
      if (this.#isClosed) return
      const now = this.#host.clock.monotonic()
      if (this.#pending.length > 0) this.#beginAt(now + this.#pause())
      else if (this.#queue.length > 0) this.wake(now)
    })
  }

  #pause(): number {
    const { firstPause, longestPause } = this.#limits
    return Math.min(longestPause, firstPause * 2 ** Math.min(this.#inARow - 1, 20))
  }

  /** Runs until no batch is full, an attempt fails, or jobs start. */
  async #writeAll(): Promise<void> {
    do {
      if (this.#pending.length === 0) this.#next()
      const [first] = this.#pending
      if (first === undefined || !(await this.#write(first))) return
    } while (this.#pending.length > 0 || (this.#hasFullBatch && !this.#host.isBusy()))
  }

  #next(): void {
    const { batchEntries, batchBytes } = this.#limits
    const entries = this.#queue.take(batchEntries, batchBytes)
    if (entries.length > 0) this.#pending.push({ entries, batch: undefined })
  }

  async #write(pending: Pending): Promise<boolean> {
    const { entries } = pending
    // Numbered at the first attempt: the numbers must arrive in order.
    pending.batch ??= batchOf(entries, this.#host.name, ++this.#sequence)
    const { batch } = pending
    try {
      await this.#host.write(batch)
    } catch (error) {
      if (this.#isClosed) return false
      if (error instanceof HistoryError && error.code === 'HISTORY_RECORD_INVALID') {
        this.#split(entries, error)
        return true
      }
      this.#failures++
      this.#inARow++
      this.#lastError = error
      this.#host.failed(error, this.#inARow)
      return false
    }
    // Abandoned meanwhile, and counted as dropped.
    if (this.#isClosed) return false
    this.#pending.shift()
    this.#queue.release(entries)
    this.#count(batch)
    if (this.#inARow > 0) this.#host.recovered(this.#inARow)
    this.#inARow = 0
    return true
  }

  /** One of the entries cannot be stored: splits the batch, so that the others are. */
  #split(entries: readonly Entry[], error: HistoryError): void {
    this.#pending.shift()
    if (entries.length === 1) {
      this.#queue.release(entries)
      this.#refused++
      this.#host.refused(error)
      return
    }
    const middle = Math.ceil(entries.length / 2)
    const halves = [entries.slice(0, middle), entries.slice(middle)]
    this.#pending.unshift(...halves.map((half) => ({ entries: half, batch: undefined })))
  }

  #count(batch: Batch): void {
    const written = this.#written
    written.executions += batch.executions.filter(
      ({ completeTime }) => completeTime !== undefined,
    ).length
    written.statuses += batch.statuses.length
    written.logs += batch.logs.length
    written.lost += batch.lost.length
    this.#batches++
    this.#lastWrittenAt = this.#host.clock.now()
  }
}

function batchOf(entries: readonly Entry[], writer: string, sequence: number): Batch {
  return {
    writer,
    sequence,
    executions: entries.flatMap(({ execution }) => execution ?? []),
    statuses: entries.flatMap(({ statuses }) => statuses),
    runs: entries.flatMap(({ run }) => run ?? []),
    logs: entries.flatMap(({ log }) => log ?? []),
    lost: entries.flatMap(({ lost }) => lost ?? []),
  }
}
