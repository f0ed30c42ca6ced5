/** The history of the jobs of a process. */
import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'

import type { Duration, ElasticJob, ElasticJobEvents, Logger } from '@elasticjob/core'
import {
  maskedLogger,
  millisecondsOf,
  summaryOf,
  systemClock,
  systemRandom,
} from '@elasticjob/core/internal'

import { jobDatabaseOf, withoutPassword } from './config/job-database.ts'
import { logLineOf } from './event-log.ts'
import type { TracingEvents } from './events.ts'
import { Archive } from './recorder/archive.ts'
import { addMetrics, type DroppedRows, noDrops, type RecorderMetrics } from './recorder/metrics.ts'
import type { Recorder } from './recorder/recorder.ts'
import { uuidOf } from './recorder/uuid.ts'
import type { HistoryStore } from './store/history-store.ts'
import { openHistory } from './store/open-history.ts'
import { historyDefaults, type HistoryOptions } from './store/options.ts'
import {
  checkTracing,
  isRecorded,
  limitsOf,
  tracingDefaults,
  type TracingOptions,
} from './tracing-options.ts'

/** The metrics of each database that is written to, by its name without a password. */
export type TracingMetrics = Readonly<Record<string, RecorderMetrics>>

type Subscriptions = {
  readonly [Name in keyof ElasticJobEvents]?: (payload: ElasticJobEvents[Name][0]) => void
}

/** Opens a database; replaced in tests. */
export type OpenHistory = (options: HistoryOptions) => Promise<HistoryStore>

/**
 * Records what jobs do: runs, their outcomes, and their output. It only listens to events, and no run waits
 * for it: a slow, unreachable or full database loses history, but never delays a run.
 *
 * ```ts
 * const jobs = await ElasticJob.connect({ servers: '127.0.0.1:2181', namespace: 'shop' })
 * const tracing = startTracing(jobs, { url: 'postgresql://jobs:secret@db/history' })
 * ```
 */
export class Tracing extends EventEmitter<TracingEvents> {
  readonly #options: TracingOptions
  readonly #open: OpenHistory
  readonly #logger: Logger | undefined
  readonly #jobs: ElasticJob
  readonly #archives = new Map<string, Archive>()
  readonly #routes = new Map<string, Archive | undefined>()
  /** Archives that no job is recorded in any more, until their pending entries are written. */
  readonly #closing = new Map<Archive, Promise<void>>()
  /** The metrics of closed archives, by the name of their database. */
  readonly #closed = new Map<string, RecorderMetrics>()
  /** Why a job is not recorded where its configuration says, as last reported. */
  readonly #ignored = new Map<string, string>()
  readonly #subscriptions: Subscriptions
  #stopped: Promise<void> | undefined

  constructor(jobs: ElasticJob, options: TracingOptions = {}, open: OpenHistory = openHistory) {
    super()
    checkTracing(options)
    const { logger = globalThis.console, logs = tracingDefaults.logs } = options
    this.#options = options
    this.#open = open
    this.#logger = logger === false ? undefined : maskedLogger(logger)
    this.#jobs = jobs
    this.#subscriptions = this.#subscribed(logs)
    for (const [name, listener] of Object.entries(this.#subscriptions)) {
      jobs.on(name as keyof ElasticJobEvents, listener)
    }
  }

  get metrics(): TracingMetrics {
    const all = new Map(this.#closed)
    for (const { database, recorder } of [...this.#archives.values(), ...this.#closing.keys()]) {
      all.set(database, addMetrics(recorder.metrics, all.get(database)))
    }
    return Object.fromEntries(all)
  }

  /** The total number of entries that wait or are being written. */
  get queued(): number {
    return sum(Object.values(this.metrics).map(({ queued }) => queued.entries))
  }

  /** The total number of dropped rows. */
  get dropped(): number {
    return sum(Object.values(this.metrics).map(({ dropped }) => rowsIn(dropped)))
  }

  /** The database of this process, or the one that a job is recorded in, for queries. */
  history(jobName?: string): Promise<HistoryStore> {
    const routed = jobName === undefined ? undefined : this.#archiveOf(jobName)
    return (routed ?? this.#archive(this.#ownUrl)).store()
  }

  /** Writes all pending entries, within the time limit. */
  async flush(limit: Duration = this.#drainLimit): Promise<void> {
    const within = millisecondsOf(limit)
    await Promise.all([...this.#archives.values()].map(({ recorder }) => recorder.flush(within)))
  }

  /** Stops recording; pending entries are written first. Called when the scheduler stops. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #stop(): Promise<void> {
    for (const [name, listener] of Object.entries(this.#subscriptions)) {
      this.#jobs.off(name as keyof ElasticJobEvents, listener)
    }
    const limit = this.#drainLimit
    await Promise.all([
      ...[...this.#archives.values()].map((archive) => archive.close(limit)),
      ...this.#closing.values(),
    ])
  }

  get #drainLimit(): number {
    return millisecondsOf(this.#options.drainLimit ?? tracingDefaults.drainLimit)
  }

  get #ownUrl(): string {
    return this.#options.url ?? historyDefaults.url
  }

  #subscribed(logs: boolean): Subscriptions {
    return {
      'job:registered': ({ jobName }) => this.#routes.delete(jobName),
      'config:changed': ({ jobName, keys }) => {
        if (!keys.includes('jobExtraConfigurations')) return
        this.#routes.delete(jobName)
        this.#archiveOf(jobName)
        this.#closeUnused()
      },
      'job:stopped': ({ jobName }) => {
        this.#routes.delete(jobName)
        this.#closeUnused()
      },
      'run:started': (run) => this.#recorderOf(run.jobName)?.started(run),
      'run:retried': (run) => this.#recorderOf(run.jobName, run.runId)?.retried(run),
      'run:completed': (run) => {
        const recorder = this.#recorderOf(run.jobName, run.runId)
        recorder?.completed(run, run.outcome, run.error, run.duration)
        if (this.#archives.size > 1 && recorder?.isIdle === true) this.#closeUnused()
      },
      'run:crashed': (crash) => this.#recorderOf(crash.jobName)?.crashed(crash),
      'run:abandoned': (crash) => this.#recorderOf(crash.jobName)?.crashed(crash),
      'scheduler:stopped': ({ waitFor }) => waitFor(this.stop()),
      ...(logs
        ? {
            'run:logged': ({ run, level, message }) => {
              this.#recorderOf(run.jobName, run.runId)?.logged(run, level, message)
            },
          }
        : {}),
    }
  }

  /** A run stays in the database in which it started, wherever its job is recorded by now. */
  #recorderOf(jobName: string, runId?: string): Recorder | undefined {
    const recorder = this.#archiveOf(jobName)?.recorder
    if (runId === undefined || this.#archives.size < 2 || recorder?.knows(runId) === true) {
      return recorder
    }
    const all = [...this.#archives.values()].map((archive) => archive.recorder)
    return all.find((one) => one.knows(runId)) ?? recorder
  }

  #archiveOf(jobName: string): Archive | undefined {
    if (!this.#routes.has(jobName)) {
      const url = isRecorded(this.#options, jobName) ? this.#urlOf(jobName) : undefined
      this.#routes.set(jobName, url === undefined ? undefined : this.#archive(url))
    }
    return this.#routes.get(jobName)
  }

  #urlOf(jobName: string): string {
    const { allowedDatabases = tracingDefaults.allowedDatabases } = this.#options
    const extras = this.#jobs.configurationOf(jobName)?.jobExtraConfigurations ?? []
    const named = jobDatabaseOf(extras, allowedDatabases)
    if (named !== undefined && named.reason === undefined) return named.url
    if (named !== undefined && this.#ignored.get(jobName) !== named.reason) {
      this.#ignored.set(jobName, named.reason)
      this.#tell('history:refused', { database: undefined, jobName, reason: named.reason })
    }
    return this.#ownUrl
  }

  /** A database that no job is recorded in is closed when the runs that started in it have ended. */
  #closeUnused(): void {
    const used = new Set(this.#routes.values())
    for (const [url, archive] of this.#archives) {
      if (url === this.#ownUrl || used.has(archive) || !archive.recorder.isIdle) continue
      this.#archives.delete(url)
      const closed = archive.close(this.#drainLimit).then(() => {
        this.#closing.delete(archive)
        const { database, recorder } = archive
        this.#closed.set(database, addMetrics(recorder.metrics, this.#closed.get(database)))
      })
      this.#closing.set(archive, closed)
    }
  }

  #archive(url: string): Archive {
    const known = this.#archives.get(url)
    if (known !== undefined) return known
    const { clock = systemClock, retention, retentionInterval } = this.#options
    const database = withoutPassword(url)
    let told: DroppedRows = noDrops
    const archive = new Archive(
      database,
      {
        limits: limitsOf(this.#options),
        retention: retention ?? tracingDefaults.retention,
        retentionInterval: millisecondsOf(retentionInterval ?? tracingDefaults.retentionInterval),
      },
      {
        clock,
        hostname: hostname(),
        newId: () => uuidOf(systemRandom.bytes(16)),
        now: () => this.#jobs.now().getTime(),
        open: () => this.#open({ ...this.#options, url }),
        dropped: (total) => {
          const rows = differenceOf(total, told)
          told = total
          this.#tell('history:dropped', { database, rows, total })
        },
        refused: (jobName, reason) => this.#tell('history:refused', { database, jobName, reason }),
        failed: (error, inARow) => this.#tell('history:failed', { database, error, inARow }),
        recovered: (failures) => this.#tell('history:recovered', { database, failures }),
        cleaned: (result) => this.#tell('history:cleaned', { database, result }),
      },
    )
    this.#archives.set(url, archive)
    return archive
  }

  #tell<Name extends keyof TracingEvents>(name: Name, payload: TracingEvents[Name][0]): void {
    const line = logLineOf(name, payload)
    if (line !== undefined) this.#logger?.[line[0]](line[1])
    try {
      this.emit(name, ...([payload] as never))
    } catch (error) {
      // A failing listener must not stop the recording.
      this.#logger?.error(`A listener of event '${name}' failed: ${summaryOf(error)}`)
    }
  }
}

/** Records the jobs from now on: call it before jobs are scheduled. */
export function startTracing(jobs: ElasticJob, options: TracingOptions = {}): Tracing {
  return new Tracing(jobs, options)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function rowsIn({ executions, statuses, logs, lost, ends }: DroppedRows): number {
  return executions + statuses + logs + lost + ends
}

function differenceOf(now: DroppedRows, before: DroppedRows): DroppedRows {
  return {
    executions: now.executions - before.executions,
    statuses: now.statuses - before.statuses,
    logs: now.logs - before.logs,
    lost: now.lost - before.lost,
    ends: now.ends - before.ends,
  }
}
