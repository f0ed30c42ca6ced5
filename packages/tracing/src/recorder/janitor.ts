/** Deletes records beyond the retention limits, periodically. */
import type { Clock, Timer } from '@elasticjob/core'

import type { HistoryStore, RetentionPolicy, RetentionResult } from '../store/history-store.ts'

export interface JanitorHost {
  readonly clock: Clock
  store(): Promise<HistoryStore>
  cleaned(result: RetentionResult): void
  failed(error: unknown): void
}

/** The delay after the start of the process, which has more urgent work. */
const firstAfter = 60_000

/**
 * A lease in the database decides which process cleans up. This includes jobs that no process runs any more,
 * and processes of several registries with one database, which a leader of a job could not know.
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

  /** Ends after the current step. */
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
