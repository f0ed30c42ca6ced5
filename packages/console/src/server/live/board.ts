/**
 * What the pages of one registry show, kept up to date from one copy of its namespace: however many pages
 * are open, ZooKeeper is asked for nothing on their behalf.
 */
import {
  type FollowedNamespace,
  type JobDetail as CoreDetail,
  type NamespaceListener,
  parseCron,
} from '@elasticjob/core'
import type { Clock, Random, Timer } from '@elasticjob/zookeeper'

import type { JobDetail, JobEntry, RecentRun } from '../../contract/jobs.ts'
import type { InstanceEntry, ServerEntry, ServerJob } from '../../contract/servers.ts'
import { detailOf, entryOf, recentRunOf } from './describe.ts'
import { RecentRuns } from './recent-runs.ts'
import { type Changes, Revisions } from './revisions.ts'
import { ServerBook } from './server-book.ts'

/** Changes of so many milliseconds are looked at together. */
const gathering = 100
/** Streams hear of servers no more often than this, in milliseconds. */
const serverInterval = 1000
/** So many jobs are looked at before others get their turn. */
const jobsAtOnce = 25
/** Beyond that many names that are gone, everybody begins anew. */
const mostRemoved = 10_000

/** How the board follows; the registry's own client stands behind it. */
export type Follow = (listener: NamespaceListener) => Promise<FollowedNamespace>

export interface BoardListener {
  /** The revision has grown. */
  readonly moved: () => void
  readonly lost: (reason: string) => void
  readonly current: () => void
}

export class Board {
  readonly #clock: Clock
  readonly #listener: BoardListener
  readonly #jobs = new Revisions<JobEntry>()
  readonly #servers = new Revisions<ServerEntry>()
  readonly #book = new ServerBook()
  readonly #recent = new RecentRuns()
  /** At which revision a job was last looked at: its details may differ where its entry does not. */
  readonly #looked = new Map<string, number>()
  readonly #touched = new Set<string>()
  readonly #touchedServers = new Set<string>()
  #serversLookedAt = -Infinity
  #serverTimer: Timer | undefined
  #followed: FollowedNamespace | undefined
  #revision = 1
  #epoch: string
  #timer: Timer | undefined
  #looking: Promise<void> | undefined
  #isClosed = false
  readonly #newEpoch: () => string
  readonly #texts = new Map<string, string>()

  constructor(clock: Clock, random: Random, listener: BoardListener) {
    this.#clock = clock
    this.#listener = listener
    this.#newEpoch = () => Buffer.from(random.bytes(6)).toString('base64url')
    this.#epoch = this.#newEpoch()
  }

  /** Resolves when every job is on the board. */
  async start(follow: Follow): Promise<void> {
    this.#followed = await follow({
      changed: (jobNames) => this.#touch(jobNames),
      lost: (reason) => this.#listener.lost(reason),
      current: () => this.#listener.current(),
    })
    for (const jobName of await this.#followed.jobNames()) this.#touched.add(jobName)
    await this.#look()
  }

  /** Resolves when the board shows what was done through the same connection before this call. */
  async caughtUp(): Promise<void> {
    await this.#followed?.settled()
    while (this.#touched.size > 0 && !this.#isClosed) await this.#look()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#serverTimer?.cancel()
    await this.#followed?.stop()
  }

  /** What a reader who has seen everything so far knows, as text. */
  get revision(): string {
    return `${this.#epoch}.${this.#revision}`
  }

  jobs(): JobEntry[] {
    return this.#jobs.values().map((entry) => this.#timely(entry))
  }

  get jobCount(): number {
    return this.#jobs.size
  }

  servers(): ServerEntry[] {
    this.#lookAtServers()
    return this.#book.addresses.flatMap((address) => this.#servers.get(address) ?? [])
  }

  get serverCount(): number {
    this.#lookAtServers()
    return this.#servers.size
  }

  server(address: string): ServerEntry | undefined {
    this.#lookAtServers()
    return this.#servers.get(address)
  }

  serverJobs(address: string): ServerJob[] {
    return this.#book.jobs(address)
  }

  instances(): InstanceEntry[] {
    return this.#book.instances()
  }

  /** Undefined if there is no such job. */
  async job(jobName: string): Promise<JobDetail | undefined> {
    const job = await this.#followed?.job(jobName)
    return job && detailOf(job, this.#recent.of(jobName))
  }

  /** When a job was last looked at; 0 if it never was. */
  lookedAt(jobName: string): number {
    return this.#looked.get(jobName) ?? 0
  }

  /** The number in a revision of this board; undefined for one of another, which says nothing here. */
  numberOf(revision: string | undefined): number | undefined {
    const [epoch, number] = (revision ?? '').split('.')
    const parsed = Number(number)
    return epoch === this.#epoch && Number.isInteger(parsed) ? parsed : undefined
  }

  /**
   * A message about what has changed since, as JSON; undefined if nothing has. It is made once for all
   * who know the same.
   */
  messageSince(what: 'jobs' | 'servers', since: number | undefined): string | undefined {
    if (what === 'servers') this.#lookAtServersInTime()
    const key = `${what} ${since}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known === '' ? undefined : known
    const { changed, removed } = this.#since(what, since)
    const isNothing = since !== undefined && changed.length === 0 && removed.length === 0
    const revision = this.revision
    const text = isNothing
      ? ''
      : JSON.stringify({ reset: since === undefined, changed, removed, revision })
    this.#texts.set(key, text)
    return isNothing ? undefined : text
  }

  /** The same of one job as it is now. */
  async jobMessage(jobName: string): Promise<string> {
    const key = `job ${jobName}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const { revision } = this
    const text = JSON.stringify({ jobName, detail: await this.job(jobName) })
    if (revision === this.revision) this.#texts.set(key, text)
    return text
  }

  /** What a history knows of runs before the board was there. */
  addRuns(jobName: string, runs: readonly RecentRun[]): void {
    if (this.#jobs.get(jobName) === undefined) return
    this.#recent.add(jobName, runs)
    this.#touch([jobName])
  }

  #since(what: 'jobs' | 'servers', since: number | undefined): Changes<unknown> {
    const kept = what === 'jobs' ? this.#jobs : this.#servers
    return since === undefined ? { changed: kept.values(), removed: [] } : kept.since(since)
  }

  #touch(jobNames: readonly string[]): void {
    for (const jobName of jobNames) this.#touched.add(jobName)
    const isDue = this.#touched.size > 0 && !this.#isClosed
    if (!isDue || this.#timer !== undefined || this.#looking !== undefined) return
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = undefined
      void this.#look()
    }, gathering)
  }

  /** Looks at what was touched until now; what is touched meanwhile gets its turn. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookAtTouched().finally(() => {
      this.#looking = undefined
      this.#touch([])
    })
    return this.#looking
  }

  async #lookAtTouched(): Promise<void> {
    const names = [...this.#touched]
    this.#touched.clear()
    for (let start = 0; start < names.length && !this.#isClosed; start += jobsAtOnce) {
      const some = names.slice(start, start + jobsAtOnce)
      const jobs = await Promise.all(some.map((jobName) => this.#read(jobName)))
      this.#revision += 1
      for (const [index, jobName] of some.entries()) this.#put(jobName, jobs[index])
      this.#tell()
      // All of it comes from memory: without this nobody else had a turn, and the session would be lost.
      await new Promise<void>((resolve) => this.#clock.afterPoll(resolve))
    }
  }

  /** A job that cannot be read at this moment, because the copy is read anew, is looked at again then. */
  async #read(jobName: string): Promise<CoreDetail | 'unknown' | undefined> {
    try {
      return await this.#followed?.job(jobName)
    } catch {
      return 'unknown'
    }
  }

  #put(jobName: string, job: CoreDetail | 'unknown' | undefined): void {
    if (job === 'unknown') return
    this.#looked.set(jobName, this.#revision)
    const touched = this.#book.put(jobName, job)
    if (job === undefined) {
      this.#recent.forget(jobName)
      this.#jobs.remove(jobName, this.#revision)
    } else {
      this.#recent.add(
        jobName,
        job.shards.map(recentRunOf).filter((run) => run !== undefined),
      )
      this.#jobs.put(jobName, entryOf(job, this.#recent.of(jobName)), this.#revision)
    }
    for (const address of touched) this.#touchedServers.add(address)
  }

  /**
   * Servers are put together when somebody looks at them: one that runs all jobs is another one with every
   * run of any of them, and costs as much as it has jobs.
   */
  #lookAtServers(): void {
    if (this.#touchedServers.size === 0) return
    this.#revision += 1
    this.#serversLookedAt = this.#clock.monotonic()
    for (const address of this.#touchedServers) {
      const entry = this.#book.entry(address)
      if (entry === undefined) this.#servers.remove(address, this.#revision)
      else this.#servers.put(address, entry, this.#revision)
    }
    this.#touchedServers.clear()
    this.#texts.clear()
  }

  /** For a stream: not more often than once in a while, and never too late. */
  #lookAtServersInTime(): void {
    const left = this.#serversLookedAt + serverInterval - this.#clock.monotonic()
    if (left <= 0) this.#lookAtServers()
    else if (this.#touchedServers.size > 0) this.#tellLater(left)
  }

  #tellLater(milliseconds: number): void {
    if (this.#isClosed) return
    this.#serverTimer ??= this.#clock.setTimer(() => {
      this.#serverTimer = undefined
      this.#listener.moved()
    }, milliseconds)
  }

  #tell(): void {
    this.#texts.clear()
    if (this.#jobs.removedCount + this.#servers.removedCount > mostRemoved) {
      this.#jobs.forgetRemoved()
      this.#servers.forgetRemoved()
      this.#epoch = this.#newEpoch()
    }
    this.#listener.moved()
  }

  /** A job that nobody has touched since it was due has a later time by now. */
  #timely(entry: JobEntry): JobEntry {
    const { nextFireTime, cron, timeZone, kind } = entry
    const now = this.#clock.now()
    if (nextFireTime === undefined || cron === undefined || nextFireTime >= now) return entry
    const next = parseCron(cron, { timeZone, strict: kind !== 'ours' }).next(new Date(now))
    return { ...entry, nextFireTime: next?.getTime() }
  }
}
