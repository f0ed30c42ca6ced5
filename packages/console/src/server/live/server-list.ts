/**
 * The servers of all jobs, computed on demand: a server that runs all jobs changes with every run of any of them, and
 * the cost of its entry grows with the number of its jobs.
 */
import type { Clock } from '@elasticjob/core'
import type { JobDetail } from '@elasticjob/core/operations'

import type { InstanceEntry, ServerEntry, ServerJob } from '../../contract/servers.ts'
import { Revisions } from './revisions.ts'
import { ServerBook } from './server-book.ts'

/** The minimum interval between two reports of servers to streams, in milliseconds. */
const interval = 1000

export class ServerList {
  readonly kept = new Revisions<ServerEntry>()
  readonly #clock: Clock
  readonly #nextRevision: () => number
  readonly #book = new ServerBook()
  readonly #touched = new Set<string>()
  #lookedAt = -Infinity

  constructor(clock: Clock, nextRevision: () => number) {
    this.#clock = clock
    this.#nextRevision = nextRevision
  }

  /** Undefined removes the job. */
  put(jobName: string, job: JobDetail | undefined): void {
    for (const address of this.#book.put(jobName, job)) this.#touched.add(address)
  }

  /** Sorted by address. */
  all(): ServerEntry[] {
    this.look()
    return this.#book.addresses.flatMap((address) => this.kept.get(address) ?? [])
  }

  get size(): number {
    this.look()
    return this.kept.size
  }

  get(address: string): ServerEntry | undefined {
    this.look()
    return this.kept.get(address)
  }

  jobs(address: string): ServerJob[] {
    return this.#book.jobs(address)
  }

  instances(): InstanceEntry[] {
    return this.#book.instances()
  }

  look(): void {
    if (this.#touched.size === 0) return
    const revision = this.#nextRevision()
    this.#lookedAt = this.#clock.monotonic()
    for (const address of this.#touched) {
      const entry = this.#book.entry(address)
      if (entry === undefined) this.kept.remove(address, revision)
      else this.kept.put(address, entry, revision)
    }
    this.#touched.clear()
  }

  /** Updates at most once per interval; returns the time until the next update if servers have changed. */
  lookInTime(): number | undefined {
    const left = this.#lookedAt + interval - this.#clock.monotonic()
    if (left <= 0) this.look()
    return this.#touched.size > 0 ? left : undefined
  }
}
