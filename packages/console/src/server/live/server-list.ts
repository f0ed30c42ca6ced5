/**
 * The servers of all jobs, put together when somebody looks at them: one that runs all jobs is another one
 * with every run of any of them, and costs as much as it has jobs.
 */
import type { Clock } from '@elasticjob/core'
import type { JobDetail } from '@elasticjob/core/operations'

import type { InstanceEntry, ServerEntry, ServerJob } from '../../contract/servers.ts'
import { Revisions } from './revisions.ts'
import { ServerBook } from './server-book.ts'

/** Streams hear of servers no more often than this, in milliseconds. */
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

  /** Undefined takes a job out. */
  put(jobName: string, job: JobDetail | undefined): void {
    for (const address of this.#book.put(jobName, job)) this.#touched.add(address)
  }

  /** In order. */
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

  /** Not more often than once in a while; answers when to look again, if there is anything to look at. */
  lookInTime(): number | undefined {
    const left = this.#lookedAt + interval - this.#clock.monotonic()
    if (left <= 0) this.look()
    return this.#touched.size > 0 ? left : undefined
  }
}
