/**
 * Counts the runs of this process for jobs that set `process.count.interval.seconds`. The counts of all jobs are
 * written at the same instant of each interval, and so in one transaction. A job that ran nothing writes nothing.
 */
import type { Clock, Timer } from '../../clock.ts'
import type { RunOutcome } from '../../events.ts'
import type { JobPaths, StatePaths } from '../../job-tree/paths.ts'
import { isOutOfReach } from '../../registry/registry-error.ts'
import type { RegistrySession } from '../../registry/registry-session.ts'
import { part } from '../../registry/transaction.ts'
import { Counter, encodeCounts } from './counts.ts'
import { nextWrite, planCounts, type CountsPosition, positionAfter } from './plan.ts'

/** The session, paths and interval of a counted job. */
export interface Counted {
  readonly session: RegistrySession
  readonly paths: JobPaths
  /** In milliseconds. */
  readonly interval: number
}

interface CountedJob {
  counted: Counted
  readonly counter: Counter
  due: number
  /** The instance id that owns the node; a new session has no node yet. */
  instance: string
  position: CountsPosition
  writing: boolean
}

export interface StatisticsHost {
  readonly clock: Clock
  readonly state: StatePaths
  /** A random fraction from 0 to 1: how far the writes of this process are shifted within an interval. Called once. */
  fraction(): number
  /** The registry's time. */
  now(): number
  failed(jobName: string, error: unknown): void
}

/** Each attempt learns which nodes exist. More failures mean that another writer interferes. */
const attempts = 5

export class StatisticsService {
  readonly #host: StatisticsHost
  readonly #jobs = new Map<string, CountedJob>()
  #fraction: number | undefined
  #timer: Timer | undefined
  #armedFor = Infinity

  constructor(host: StatisticsHost) {
    this.#host = host
  }

  /** Starts to count a job, or changes its interval. */
  follow(jobName: string, counted: Counted): void {
    const now = this.#host.now()
    const due = this.#nextWrite(now, counted.interval)
    const job = this.#jobs.get(jobName)
    if (job === undefined) {
      const { instance } = counted.session
      const counter = new Counter(now)
      const position = 'nothing'
      this.#jobs.set(jobName, { counted, counter, due, instance, position, writing: false })
    } else if (job.counted.interval !== counted.interval) {
      Object.assign(job, { counted, due })
    }
    this.#arm(due)
  }

  /** Stops counting a job and deletes its node. */
  leave(jobName: string): void {
    const job = this.#jobs.get(jobName)
    this.#jobs.delete(jobName)
    if (job?.position !== 'node') return
    const { session, paths } = job.counted
    if (!session.isReady || session.instance !== job.instance) return
    session.commit([part.delete(`${paths.statistics}/${job.instance}`)]).catch(() => {
      // The node is ephemeral: it goes with the session.
    })
  }

  completed(jobName: string, outcome: RunOutcome): void {
    this.#jobs.get(jobName)?.counter.ran(outcome)
  }

  processed(jobName: string, succeeded: number, failed: number): void {
    this.#jobs.get(jobName)?.counter.processed(succeeded, failed)
  }

  /** Stops counting all jobs; the nodes go with their sessions. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#armedFor = Infinity
    this.#jobs.clear()
  }

  #nextWrite(now: number, interval: number): number {
    this.#fraction ??= this.#host.fraction()
    return nextWrite(now, interval, this.#fraction)
  }

  #arm(due: number): void {
    if (due >= this.#armedFor) return
    this.#timer?.cancel()
    this.#armedFor = due
    const delay = Math.max(due - this.#host.now(), 0)
    this.#timer = this.#host.clock.setTimer(() => this.#rung(), Math.ceil(delay))
  }

  #rung(): void {
    this.#timer = undefined
    this.#armedFor = Infinity
    const now = this.#host.now()
    let next = Infinity
    for (const [jobName, job] of this.#jobs) {
      if (job.due <= now) {
        job.due = this.#nextWrite(now, job.counted.interval)
        if (job.counter.isEmpty) job.counter.skip(now)
        else if (!job.writing) void this.#write(jobName, job, now)
      }
      next = Math.min(next, job.due)
    }
    this.#arm(next)
  }

  async #write(jobName: string, job: CountedJob, now: number): Promise<void> {
    const counts = job.counter.upTo(now)
    job.writing = true
    try {
      await this.#put(job, encodeCounts(counts))
      job.counter.written(counts)
    } catch (error) {
      // The counts stay in the interval and are written with the next one. A lost connection needs no report.
      if (!isOutOfReach(error)) this.#host.failed(jobName, error)
    } finally {
      job.writing = false
    }
  }

  /** Writes the counts. The errors of the transaction tell which nodes exist, without a read. */
  async #put(job: CountedJob, text: string): Promise<void> {
    const { session, paths } = job.counted
    for (let attempt = 1; ; attempt++) {
      const { instance } = session
      if (instance !== job.instance) Object.assign(job, { instance, position: 'nothing' })
      try {
        const { statistics } = paths
        await session.commit(planCounts(job.position, statistics, instance, text))
        job.position = 'node'
        return
      } catch (error) {
        const position = positionAfter(error, job.position, paths.statistics)
        if (position === undefined || attempt === attempts) throw error
        if (position === 'above') await session.ensure(this.#host.state.statistics)
        else job.position = position
      }
    }
  }
}
