/** What happens to runs here, on its way into one database. Nobody waits for it. */
import type { CrashedRun, LogLevel, RunOutcome, RunReference } from '@elasticjob/core'
import type { Clock } from '@elasticjob/zookeeper'

import { problemOfExecution } from '../store/check-record.ts'
import type { LazyStore } from '../store/lazy-store.ts'
import type { LostRun } from '../store/records.ts'
import { BatchWriter, type WriterLimits } from './batch-writer.ts'
import { addEnd, type Entry, lostEntry, runEntry } from './entry.ts'
import type { DroppedRows, RecorderFigures } from './figures.ts'
import { HistoryQueue, type QueueLimits } from './history-queue.ts'
import { endOf, formerOf, lostOf, lostStatusOf, type RunRecords, startOf } from './records-of.ts'
import { type LogLimits, RunLog } from './run-log.ts'

export interface RecorderLimits {
  readonly queue: QueueLimits
  readonly writer: WriterLimits
  readonly log: LogLimits
}

export interface RecorderHost {
  readonly clock: Clock
  readonly hostname: string
  /** An id that nobody else has. */
  readonly newId: () => string
  /** The registry's time, in milliseconds. */
  now(): number
  dropped(rows: DroppedRows): void
  refused(jobName: string | undefined, reason: string): void
  failed(error: unknown, inARow: number): void
  recovered(failures: number): void
}

/** A run that goes on here. */
interface OpenRun {
  readonly startedAt: number
  /** Its beginning, as long as that is queued. */
  readonly entry: Entry
  readonly log: RunLog
  retries: number
}

export class Recorder {
  readonly #host: RecorderHost
  readonly #limits: RecorderLimits
  readonly #queue: HistoryQueue
  readonly #writer: BatchWriter
  readonly #open = new Map<string, OpenRun>()
  readonly #refusedJobs = new Set<string>()
  #refused = 0
  #isClosed = false

  constructor(store: LazyStore, limits: RecorderLimits, host: RecorderHost) {
    this.#limits = limits
    this.#host = host
    this.#queue = new HistoryQueue(limits.queue, (rows) => host.dropped(rows), host.clock)
    this.#writer = new BatchWriter(this.#queue, limits.writer, {
      clock: host.clock,
      name: host.newId(),
      write: async (batch) => (await store.get()).writeBatch(batch),
      failed: (error, inARow) => host.failed(error, inARow),
      recovered: (failures) => host.recovered(failures),
      refused: (error) => host.refused(undefined, error.message),
    })
  }

  get figures(): RecorderFigures {
    const { refused, ...figures } = this.#writer.figures
    return {
      queued: this.#queue.size,
      dropped: this.#queue.dropped,
      refused: refused + this.#refused,
      ...figures,
    }
  }

  started(run: RunReference): void {
    const startedAt = this.#host.now()
    const former = formerOf(run, startedAt)
    if (former !== undefined) this.#close(former)
    const records = startOf(run, this.#circumstances(startedAt))
    if (!this.#accepts(records)) return
    const entry = runEntry(records, false)
    const log = new RunLog(run.runId, this.#limits.log, this.#queue)
    this.#open.set(run.runId, { startedAt, entry, log, retries: 0 })
    this.#add(entry)
  }

  /** Whether the run has begun here and goes on. */
  knows(runId: string): boolean {
    return this.#open.has(runId)
  }

  retried(run: RunReference): void {
    const open = this.#open.get(run.runId)
    if (open !== undefined) open.retries++
  }

  logged(run: RunReference, level: LogLevel, message: string): void {
    this.#open.get(run.runId)?.log.write(this.#host.now(), level, message)
    this.#writer.wake()
  }

  completed(run: RunReference, outcome: RunOutcome, error: unknown, duration: number): void {
    const open = this.#open.get(run.runId)
    this.#open.delete(run.runId)
    const { retries = 0, startedAt = this.#host.now() - Math.round(duration) } = open ?? {}
    const ending = { outcome, error, duration, retries }
    const records = endOf(run, this.#circumstances(startedAt), ending)
    if (!this.#accepts(records)) return
    if (open?.entry.state === 'queued')
      this.#queue.grow(open.entry, (entry) => addEnd(entry, records))
    else this.#add(runEntry(records, open?.entry.state === 'taken'))
  }

  crashed(crash: CrashedRun): void {
    const lost = lostOf(crash, this.#host.now())
    if (lost !== undefined) this.#close(lost, true)
  }

  /** Writes all that waits, until it is there or the time is over. */
  flush(limit: number): Promise<void> {
    return this.#writer.flush(limit)
  }

  /** Records nothing more. What cannot be written within the limit is counted as dropped. */
  async close(limit: number): Promise<void> {
    if (this.#isClosed) return
    await this.#writer.flush(limit)
    this.#isClosed = true
    this.#writer.close()
    this.#queue.tellDropped()
  }

  #close(lost: LostRun, isFound = false): void {
    // Who takes it over may be another than who has found it, and one of them is to say so.
    const statuses = isFound ? [lostStatusOf(lost, this.#host.newId)] : []
    this.#add(lostEntry(lost, statuses))
  }

  #add(entry: Entry): void {
    if (this.#isClosed) return
    this.#queue.add(entry)
    this.#writer.wake()
  }

  #accepts({ execution }: RunRecords): boolean {
    const problem = problemOfExecution(execution)
    if (problem === undefined) return true
    this.#refused++
    const { jobName } = execution
    // Each of its runs will be, and once is enough to say so.
    if (!this.#refusedJobs.has(jobName)) this.#host.refused(jobName, problem)
    this.#refusedJobs.add(jobName)
    return false
  }

  #circumstances(startedAt: number): Parameters<typeof startOf>[1] {
    return { hostname: this.#host.hostname, startedAt, newId: this.#host.newId }
  }
}
