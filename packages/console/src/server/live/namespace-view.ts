/**
 * The namespace view of one registry: the data of all pages, updated from one copy of the namespace, so that open
 * pages cost no request to ZooKeeper.
 */
import type { Clock, Random, Timer } from '@elasticjob/core'
import { parseCron } from '@elasticjob/core/cron'
import type {
  FollowedNamespace,
  JobDetail as CoreDetail,
  NamespaceListener,
} from '@elasticjob/core/operations'

import type { JobDetail, JobEntry, RecentRun } from '../../contract/jobs.ts'
import { Answers } from './answers.ts'
import { detailOf, entryOf, recentRunOf } from './describe.ts'
import { NamespaceContents } from './namespace-contents.ts'
import { listMessage } from './list-message.ts'
import { RecentRuns } from './recent-runs.ts'
import { Revisions } from './revisions.ts'
import { ServerList } from './server-list.ts'

/** Changes within this many milliseconds after an update are processed together. */
const gathering = 100
/** The number of jobs processed before the event loop continues. */
const jobsAtOnce = 10
/** The maximum number of remembered removals; beyond it, all readers start again. */
const mostRemoved = 10_000
/** Readers that start within this many milliseconds share a snapshot. */
const sharing = 1000

/** Follows the namespace; implemented by the client of the registry. */
export type Follow = (listener: NamespaceListener) => Promise<FollowedNamespace>

/** The lists that a stream reports. */
export type ListName = 'jobs' | 'servers'

/** The progress of the first read of all jobs. */
export interface Progress {
  readonly done: number
  readonly total: number
}

export interface NamespaceViewListener {
  /** The revision has increased. */
  readonly moved: () => void
  readonly lost: (reason: Error) => void
  readonly current: () => void
}

export class NamespaceView {
  /** The cached answers to list requests. */
  readonly answers: Answers
  readonly #clock: Clock
  readonly #listener: NamespaceViewListener
  readonly #jobs = new Revisions<JobEntry>()
  readonly #servers: ServerList
  readonly #recent = new RecentRuns()
  /** The revision of the last update of each job: its details can change without its entry. */
  readonly #looked = new Map<string, number>()
  readonly #touched = new Set<string>()
  /** The messages for clients with the same revision, cached until the next change. */
  readonly #messages = new Map<string, Uint8Array | undefined>()
  readonly #jobTexts = new Map<string, string>()
  readonly #everything = new Map<
    ListName,
    { readonly all: NamespaceContents; readonly at: number }
  >()
  readonly #newEpoch: () => string
  #serverTimer: Timer | undefined
  #followed: FollowedNamespace | undefined
  #revision = 1
  #epoch: string
  #timer: Timer | undefined
  #looking: Promise<void> | undefined
  #lookedAt = -Infinity
  #toldAt = -Infinity
  #total: number | undefined
  #isClosed = false

  constructor(clock: Clock, random: Random, listener: NamespaceViewListener) {
    this.#clock = clock
    this.#listener = listener
    this.#newEpoch = () => Buffer.from(random.bytes(6)).toString('base64url')
    this.#epoch = this.#newEpoch()
    this.#servers = new ServerList(clock, () => this.#nextRevision())
    this.answers = new Answers(clock)
  }

  /** Resolves when every job is in the view. */
  async start(follow: Follow): Promise<void> {
    this.#followed = await follow({
      changed: (jobNames) => this.#touch(jobNames),
      lost: (reason) => this.#listener.lost(reason),
      current: () => this.#listener.current(),
    })
    const names = await this.#followed.jobNames()
    this.#total = names.length
    for (const jobName of names) this.#touched.add(jobName)
    await this.#look()
    this.#total = undefined
  }

  /** The progress of the start; undefined before the registry was read, and after the start. */
  get progress(): Progress | undefined {
    if (this.#total === undefined) return undefined
    return { done: Math.min(this.#looked.size, this.#total), total: this.#total }
  }

  /** Resolves when the view shows everything that was written through the same connection before this call. */
  async caughtUp(): Promise<void> {
    await this.#followed?.settled()
    // An update in progress may have started before this call; the next one includes everything touched by now.
    await this.#looking
    if (this.#touched.size > 0 || this.#looking !== undefined) await this.#look()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#serverTimer?.cancel()
    await this.#followed?.stop()
  }

  /** The revision of a reader that has seen everything so far, as text. */
  get revision(): string {
    return `${this.#epoch}.${this.#revision}`
  }

  jobs(): JobEntry[] {
    const now = this.#clock.now()
    return this.#jobs.values().map((entry) => timely(entry, now))
  }

  /** An entry of `jobs()` as JSON. */
  jobText(entry: JobEntry): string {
    return this.#jobs.textOf(entry.jobName, entry)
  }

  get jobCount(): number {
    return this.#jobs.size
  }

  get servers(): Pick<ServerList, 'all' | 'size' | 'get' | 'jobs' | 'instances'> {
    return this.#servers
  }

  /** Undefined if there is no such job. */
  async job(jobName: string): Promise<JobDetail | undefined> {
    const job = await this.#followed?.job(jobName)
    return job && detailOf(job, this.#recent.of(jobName))
  }

  /** The revision of the last update of a job; 0 if there was none. */
  lookedAt(jobName: string): number {
    return this.#looked.get(jobName) ?? 0
  }

  /** The number in a revision of this view; undefined for a revision of another view. */
  numberOf(revision: string | undefined): number | undefined {
    const [assignment, number] = (revision ?? '').split('.')
    const parsed = Number(number)
    return assignment === this.#epoch && Number.isInteger(parsed) ? parsed : undefined
  }

  /** The whole list, for a reader without a revision. */
  everything(what: ListName): NamespaceContents {
    if (what === 'servers') this.#servers.look()
    const now = this.#clock.monotonic()
    const known = this.#everything.get(what)
    if (known !== undefined && this.#canShare(known.all, known.at, now)) return known.all
    known?.all.retire()
    const all = new NamespaceContents(this.#kept(what).texts(), this.revision)
    this.#everything.set(what, { all, at: now })
    return all
  }

  /**
   * A message with the changes since a revision, as JSON; undefined without changes. Built once for all readers with
   * the same revision.
   */
  messageSince(what: ListName, since: number): Uint8Array | undefined {
    if (what === 'servers') this.#lookAtServersInTime()
    const key = `${what} ${since}`
    if (this.#messages.has(key)) return this.#messages.get(key)
    const changes = this.#kept(what).since(since)
    const isNothing = changes.changed.length === 0 && changes.removed.length === 0
    const message = isNothing
      ? undefined
      : listMessage({ ...changes, reset: false, left: 0, revision: this.revision })
    this.#messages.set(key, message)
    return message
  }

  /** The same for one job with its current details. */
  async jobMessage(jobName: string): Promise<string> {
    const known = this.#jobTexts.get(jobName)
    if (known !== undefined) return known
    const { revision } = this
    const text = JSON.stringify({ jobName, detail: await this.job(jobName) })
    if (revision === this.revision) this.#jobTexts.set(jobName, text)
    return text
  }

  /** Adds runs from the history, from before the view existed. */
  addRuns(jobName: string, runs: readonly RecentRun[]): void {
    if (this.#jobs.get(jobName) === undefined) return
    this.#recent.add(jobName, runs)
    this.#touch([jobName])
  }

  #kept(what: ListName): Revisions<unknown> {
    return what === 'jobs' ? this.#jobs : this.#servers.kept
  }

  /** A shared snapshot may be a little old: the changes after it follow from its own revision. */
  #canShare({ revision }: NamespaceContents, at: number, now: number): boolean {
    return now - at < sharing && this.numberOf(revision) !== undefined
  }

  /** The first change after a quiet time is processed at once, the following ones together. */
  #touch(jobNames: readonly string[]): void {
    for (const jobName of jobNames) this.#touched.add(jobName)
    const isDue = this.#touched.size > 0 && !this.#isClosed
    if (!isDue || this.#timer !== undefined || this.#looking !== undefined) return
    const wait = Math.max(0, this.#lookedAt + gathering - this.#clock.monotonic())
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = undefined
      void this.#look()
    }, wait)
  }

  /** Processes all touched jobs; jobs that are touched meanwhile are processed next. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookAtTouched().finally(() => {
      this.#looking = undefined
      this.#lookedAt = this.#clock.monotonic()
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
      this.#nextRevision()
      for (const [index, jobName] of some.entries()) this.#put(jobName, jobs[index])
      this.#tellInTime()
      // All reads come from memory: without this pause the event loop would be blocked, and the session would expire.
      await new Promise<void>((resolve) => this.#clock.afterPoll(resolve))
    }
    this.#tell()
  }

  /** Reports progress while further jobs are processed, but not after every portion. */
  #tellInTime(): void {
    if (this.#clock.monotonic() - this.#toldAt >= gathering) this.#tell()
  }

  /** A job that cannot be read now, because the copy is being read again, is processed after that. */
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
    this.#servers.put(jobName, job)
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
  }

  /** The cached messages and answers are outdated. */
  #nextRevision(): number {
    this.#messages.clear()
    this.#jobTexts.clear()
    this.answers.clear()
    return (this.#revision += 1)
  }

  /** For a stream, which must not miss the last change. */
  #lookAtServersInTime(): void {
    const left = this.#servers.lookInTime()
    if (left === undefined || this.#isClosed) return
    this.#serverTimer ??= this.#clock.setTimer(() => {
      this.#serverTimer = undefined
      this.#listener.moved()
    }, left)
  }

  #tell(): void {
    this.#toldAt = this.#clock.monotonic()
    if (this.#jobs.removedCount + this.#servers.kept.removedCount > mostRemoved) {
      this.#jobs.forgetRemoved()
      this.#servers.kept.forgetRemoved()
      this.#epoch = this.#newEpoch()
    }
    this.#listener.moved()
  }
}

/** The fire time of an unchanged entry may have passed: computes the next one. */
function timely(entry: JobEntry, now: number): JobEntry {
  const { nextFireTime, cron, timeZone, kind } = entry
  if (nextFireTime === undefined || cron === undefined || nextFireTime >= now) return entry
  const next = parseCron(cron, { timeZone, strict: kind !== 'ours' }).next(new Date(now))
  return { ...entry, nextFireTime: next?.getTime() }
}
