/** One database, and everything that this process does with it. */
import type { Clock } from '@elasticjob/core'

import type { HistoryStore, RetentionPolicy } from '../store/history-store.ts'
import { LazyStore } from '../store/lazy-store.ts'
import { Janitor, type JanitorHost } from './janitor.ts'
import { Recorder, type RecorderHost, type RecorderLimits } from './recorder.ts'

export interface ArchiveOptions {
  readonly limits: RecorderLimits
  readonly retention: RetentionPolicy | false
  readonly retentionInterval: number
}

export interface ArchiveHost extends RecorderHost {
  readonly clock: Clock
  open(): Promise<HistoryStore>
  cleaned: JanitorHost['cleaned']
}

export class Archive {
  /** The database, without a password. */
  readonly database: string
  readonly recorder: Recorder
  readonly #store: LazyStore
  readonly #janitor: Janitor | undefined

  constructor(
    database: string,
    { limits, retention, retentionInterval }: ArchiveOptions,
    host: ArchiveHost,
  ) {
    this.database = database
    this.#store = new LazyStore(() => host.open())
    this.recorder = new Recorder(this.#store, limits, host)
    if (retention === false) return
    this.#janitor = new Janitor(retention, retentionInterval, {
      clock: host.clock,
      store: () => this.#store.get(),
      cleaned: (result) => host.cleaned(result),
      failed: (error) => host.failed(error, 1),
    })
    this.#janitor.start()
  }

  /** Resolves when the database is connected. */
  store(): Promise<HistoryStore> {
    return this.#store.get()
  }

  /** Writes pending records first, within the limit. */
  async close(limit: number): Promise<void> {
    const cleaned = this.#janitor?.stop()
    await this.recorder.close(limit)
    // Closing the connection ends pending statements.
    await Promise.all([cleaned, this.#store.close()])
  }
}
