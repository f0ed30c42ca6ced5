/** Records the runs of this process into one database. No run waits for it. */
import type { Clock, CrashedRun, LogLevel, RunOutcome, RunReference } from '@elasticjob/core'

import { problemOfExecution } from '../store/check-record.ts'
import type { LazyStore } from '../store/lazy-store.ts'
import type { LostRun } from '../store/records.ts'
import { BatchWriter, type WriterLimits } from './batch-writer.ts'
import { cut } from './cause-text.ts'
import { addEnd, type Entry, lostEntry, runEntry } from './entry.ts'
import type { DroppedRows, RecorderMetrics } from './metrics.ts'
import { HistoryQueue, type QueueLimits } from './history-queue.ts'
import { Intake, type IntakeLimits } from './intake.ts'
import {
  endingOf,
  endOf,
  type Ending,
  formerOf,
  lostOf,
  lostStatusOf,
  type RunRecords,
  startOf,
} from './records-of.ts'
import { type LogLimits, RunLog } from './run-log.ts'

export interface RecorderLimits {
  readonly intake: IntakeLimits
  readonly queue: QueueLimits
  readonly writer: WriterLimits
  readonly log: LogLimits
}

export interface RecorderHost {
  readonly clock: Clock
  readonly hostname: string
  /** Creates a unique id. */
  readonly newId: () => string
  /** The registry's time, in milliseconds. */
  now(): number
  dropped(rows: DroppedRows): void
  refused(jobName: string | undefined, reason: string): void
  failed(error: unknown, inARow: number): void
  recovered(failures: number): void
}

/** A run in progress in this process. */
interface OpenRun {
  readonly run: RunReference
  readonly startedAt: number
  retries: number
  /** Its start, once processed; undefined if no table can store it. */
  begun: { readonly entry: Entry; readonly log: RunLog } | undefined
}

export class Recorder {
  readonly #host: RecorderHost
  readonly #limits: RecorderLimits
  readonly #intake: Intake
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
      isBusy: () => !this.#intake.isEmpty,
      failed: (error, inARow) => host.failed(error, inARow),
      recovered: (failures) => host.recovered(failures),
      refused: (error) => host.refused(undefined, error.message),
    })
    this.#intake = new Intake(limits.intake, host.clock, (since) => this.#writer.wake(since))
  }

  get metrics(): RecorderMetrics {
    this.#intake.empty()
    const { refused, ...metrics } = this.#writer.metrics
    return {
      queued: this.#queue.size,
      dropped: this.#queue.dropped,
      refused: refused + this.#refused,
      ...metrics,
    }
  }

  started(run: RunReference): void {
    const open: OpenRun = { run, startedAt: this.#host.now(), retries: 0, begun: undefined }
    this.#open.set(run.runId, open)
    this.#note(() => this.#begin(open))
  }

  /** Whether the run started here and is in progress. */
  knows(runId: string): boolean {
    return this.#open.has(runId)
  }

  /** Whether no run is in progress here. */
  get isIdle(): boolean {
    return this.#open.size === 0
  }

  retried(run: RunReference): void {
    const open = this.#open.get(run.runId)
    if (open !== undefined) open.retries++
  }

  logged(run: RunReference, level: LogLevel, message: string): void {
    const open = this.#open.get(run.runId)
    if (open === undefined) return
    const time = this.#host.now()
    const line = cut(message, this.#limits.log.lineCharacters)
    this.#note(() => open.begun?.log.write(time, level, line), line.length)
  }

  completed(run: RunReference, outcome: RunOutcome, error: unknown, duration: number): void {
    const open = this.#open.get(run.runId)
    this.#open.delete(run.runId)
    const { retries = 0, startedAt = this.#host.now() - Math.round(duration) } = open ?? {}
    // Converted at once: the owner may change the error later, and it may hold much memory.
    const ending = endingOf({ outcome, error, duration, retries })
    this.#note(
      () => this.#end(run, startedAt, ending, open?.begun?.entry),
      ending.failureCause?.length,
    )
  }

  crashed(crash: CrashedRun): void {
    const lost = lostOf(crash, this.#host.now())
    if (lost !== undefined) this.#note(() => this.#close(lost, true))
  }

  /** Writes all pending entries, within the time limit. */
  flush(limit: number): Promise<void> {
    this.#intake.empty()
    return this.#writer.flush(limit)
  }

  /** Stops recording. Entries that cannot be written within the limit count as dropped. */
  async close(limit: number): Promise<void> {
    if (this.#isClosed) return
    await this.flush(limit)
    this.#intake.empty()
    this.#isClosed = true
    this.#writer.close()
    this.#queue.tellDropped()
  }

  #note(note: () => void, characters?: number): void {
    if (!this.#isClosed) this.#intake.add(note, characters)
  }

  #begin(open: OpenRun): void {
    const { run, startedAt } = open
    const former = formerOf(run, startedAt)
    if (former !== undefined) this.#close(former)
    const records = startOf(run, this.#circumstances(startedAt))
    if (!this.#accepts(records)) return
    const entry = runEntry(records, false)
    open.begun = { entry, log: new RunLog(run.runId, this.#limits.log, this.#queue) }
    this.#queue.add(entry)
  }

  #end(run: RunReference, startedAt: number, ending: Ending, begun: Entry | undefined): void {
    const records = endOf(run, this.#circumstances(startedAt), ending)
    if (!this.#accepts(records)) return
    if (begun?.state === 'queued') this.#queue.grow(begun, (entry) => addEnd(entry, records))
    else this.#queue.add(runEntry(records, begun?.state === 'taken'))
  }

  #close(lost: LostRun, isFound = false): void {
    // The instance that takes over a run may not be the one that detected it, and only one of them reports
    // it.
    const statuses = isFound ? [lostStatusOf(lost, this.#host.newId)] : []
    this.#queue.add(lostEntry(lost, statuses))
  }

  #accepts({ execution }: RunRecords): boolean {
    const problem = problemOfExecution(execution)
    if (problem === undefined) return true
    this.#refused++
    const { jobName } = execution
    // Each run of the job would be refused: report it once.
    if (!this.#refusedJobs.has(jobName)) this.#host.refused(jobName, problem)
    this.#refusedJobs.add(jobName)
    return false
  }

  #circumstances(startedAt: number): Parameters<typeof startOf>[1] {
    return { hostname: this.#host.hostname, startedAt, newId: this.#host.newId }
  }
}
