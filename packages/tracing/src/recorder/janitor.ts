/** Deletes what is beyond the limits, from time to time. */
import type { Clock, Timer } from '@elasticjob/zookeeper'

import type { HistoryStore, RetentionPolicy, RetentionResult } from '../store/history-store.ts'

export interface JanitorHost {
  readonly clock: Clock
  store(): Promise<HistoryStore>
  cleaned(result: RetentionResult): void
  failed(error: unknown): void
}

/** A process that has only just begun has better things to do. */
const firstAfter = 60_000

/**
 * Which of all processes does it is decided in the database, by a lease that the store takes there: it
 * holds for jobs that nobody runs any more, and for processes of several registries that share one
 * database, of which no leader of a job could know.
 */
export class Janitor {
  readonly #policy: RetentionPolicy
  readonly #interval: number
  readonly #host: JanitorHost
  readonly #stopping = new AbortController()
  #timer: Timer | undefined
  #working: Promise<void> | undefined

  constructor(policy: RetentionPolicy, interval: number, host: JanitorHost) {
    this.#policy = policy
    this.#interval = interval
    this.#host = host
  }

  start(): void {
    this.#after(Math.min(firstAfter, this.#interval))
  }

  /** Ends after the step that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#timer?.cancel()
    await this.#working
  }

  #after(milliseconds: number): void {
    this.#timer = this.#host.clock.setTimer(() => {
      this.#working = this.#clean().finally(() => {
        if (!this.#stopping.signal.aborted) this.#after(this.#interval)
      })
    }, milliseconds)
  }

  async #clean(): Promise<void> {
    const { signal } = this.#stopping
    try {
      const store = await this.#host.store()
      const result = await store.retain(this.#policy, { signal })
      const { hasRun, executions, statuses, logChunks } = result
      if (hasRun && executions + statuses + logChunks > 0) this.#host.cleaned(result)
    } catch (error) {
      if (!signal.aborted) this.#host.failed(error)
    }
  }
}
