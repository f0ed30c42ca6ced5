/** The history of the jobs of a process. */
import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'

import type { ElasticJob, ElasticJobEvents, Logger } from '@elasticjob/core'
import { systemClock, systemRandom } from '@elasticjob/zookeeper'

import { javaTracingOf } from './config/java-entry.ts'
import { logLineOf } from './event-log.ts'
import type { TracingEvents } from './events.ts'
import { Archive } from './recorder/archive.ts'
import { type DroppedRows, noDrops, type RecorderFigures } from './recorder/figures.ts'
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

/** The figures of each database that is written to, by a name without a password. */
export type TracingFigures = Readonly<Record<string, RecorderFigures>>

type Subscriptions = {
  readonly [Name in keyof ElasticJobEvents]?: (payload: ElasticJobEvents[Name][0]) => void
}

/** Opens a database; tests bring their own. */
export type OpenHistory = (options: HistoryOptions) => Promise<HistoryStore>

/**
 * Writes down what jobs do: runs, how they ended, and what they printed. It listens, and nothing waits
 * for it: a database that is slow, down or full costs history, and no run.
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
  readonly #subscriptions: Subscriptions
  #stopped: Promise<void> | undefined

  constructor(jobs: ElasticJob, options: TracingOptions = {}, open: OpenHistory = openHistory) {
    super()
    checkTracing(options)
    const { logger = globalThis.console, logs = tracingDefaults.logs } = options
    this.#options = options
    this.#open = open
    this.#logger = logger === false ? undefined : logger
    this.#jobs = jobs
    this.#subscriptions = this.#subscribed(logs)
    for (const [name, listener] of Object.entries(this.#subscriptions)) {
      jobs.on(name as keyof ElasticJobEvents, listener)
    }
  }

  get figures(): TracingFigures {
    return Object.fromEntries(
      [...this.#archives].map(([url, { recorder }]) => [withoutPassword(url), recorder.figures]),
    )
  }

  /** How many entries wait to be written, or are being written, in all. */
  get queued(): number {
    return sum(Object.values(this.figures).map(({ queued }) => queued.entries))
  }

  /** How many rows were dropped, in all. */
  get dropped(): number {
    return sum(Object.values(this.figures).map(({ dropped }) => rowsIn(dropped)))
  }

  /** The database of this process, or the one that a job is recorded in, to be asked. */
  history(jobName?: string): Promise<HistoryStore> {
    const routed = jobName === undefined ? undefined : this.#archiveOf(jobName)
    return (routed ?? this.#archive(this.#ownUrl)).store()
  }

  /** Writes all that waits, until it is there or the time, in milliseconds, is over. */
  async flush(limit: number = this.#drainLimit): Promise<void> {
    await Promise.all([...this.#archives.values()].map(({ recorder }) => recorder.flush(limit)))
  }

  /** Records nothing more; what waits is written first. Called when the scheduler stops. */
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
    await Promise.all([...this.#archives.values()].map((archive) => archive.close(limit)))
  }

  get #drainLimit(): number {
    return this.#options.drainLimit ?? tracingDefaults.drainLimit
  }

  get #ownUrl(): string {
    return this.#options.url ?? historyDefaults.url
  }

  #subscribed(logs: boolean): Subscriptions {
    return {
      'job:registered': ({ jobName }) => this.#routes.delete(jobName),
      'config:changed': ({ jobName, keys }) => {
        if (keys.includes('jobExtraConfigurations')) this.#routes.delete(jobName)
      },
      'run:started': (run) => this.#recorderOf(run.jobName)?.started(run),
      'run:retried': (run) => this.#recorderOf(run.jobName, run.runId)?.retried(run),
      'run:completed': (run) => {
        const recorder = this.#recorderOf(run.jobName, run.runId)
        recorder?.completed(run, run.outcome, run.error, run.duration)
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

  /** A run that has begun in one database goes on in it, wherever its job is recorded by now. */
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
    const { followJobs = tracingDefaults.followJobs } = this.#options
    const extras = this.#jobs.configurationOf(jobName)?.jobExtraConfigurations ?? []
    const entry = followJobs ? javaTracingOf(extras) : undefined
    if (entry === undefined) return this.#ownUrl
    if (entry.reason === undefined) return entry.url
    this.#tell('history:refused', { database: undefined, jobName, reason: entry.reason })
    return this.#ownUrl
  }

  #archive(url: string): Archive {
    const known = this.#archives.get(url)
    if (known !== undefined) return known
    const { clock = systemClock, retention, retentionInterval } = this.#options
    const database = withoutPassword(url)
    let told: DroppedRows = noDrops
    const archive = new Archive(
      {
        limits: limitsOf(this.#options),
        retention: retention ?? tracingDefaults.retention,
        retentionInterval: retentionInterval ?? tracingDefaults.retentionInterval,
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
      // A listener that fails must not take the writing with it.
      this.#logger?.error(`A listener of ${name} failed: ${String(error)}`)
    }
  }
}

/** Records what the jobs do from now on: call it before jobs are scheduled. */
export function startTracing(jobs: ElasticJob, options: TracingOptions = {}): Tracing {
  return new Tracing(jobs, options)
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/([^:/@]*):[^@]*@/, '//$1@').replace(/\?.*$/s, '')
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
