/** When a job fires: its cron expression at work. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { parseCron } from '../cron/cron.ts'
import type { FireTimes } from '../fire-times/due.ts'
import { scheduleDigest } from '../job-tree/timeline.ts'

/** Follows the scheduled times as time goes by, without asking the expression more than it must. */
export class Schedule {
  readonly fires: FireTimes | undefined
  readonly digest: string
  readonly #window: number
  #next: number | undefined
  #latest: number | undefined
  /** The time for which these two were last worked out. */
  #followed = Infinity

  constructor(
    configuration: Pick<JobConfiguration, 'cron' | 'timeZone'>,
    /** A mixed job fires when Java does, to the second. */
    strict: boolean,
    now: number,
    window: number,
  ) {
    const { cron, timeZone } = configuration
    this.fires = cron === undefined ? undefined : parseCron(cron, { timeZone, strict })
    this.digest = scheduleDigest(configuration)
    this.#window = window
    this.#advance(now)
  }

  /** The next scheduled time. */
  next(now: number): number | undefined {
    this.#advance(now)
    return this.#next
  }

  /** The last scheduled time that has come; undefined if none has since this schedule is followed. */
  latest(now: number): number | undefined {
    this.#advance(now)
    return this.#latest
  }

  #advance(now: number): void {
    if (this.fires === undefined) return
    // A clock that was ahead and is right again must not silence the job until the time it showed.
    const begins = now < this.#followed
    if (!begins && (this.#next === undefined || now < this.#next)) return
    const passed = begins ? undefined : this.#next
    const following = passed === undefined ? undefined : this.fires.nextAfter(passed)
    if (following !== undefined && following > now) {
      // One time has come and no other: there is nothing to look for.
      this.#latest = passed
      this.#next = following
    } else {
      const after = passed === undefined ? now - this.#window : passed - 1
      this.#latest = this.fires.latestAtOrBefore(now, after)
      this.#next = this.fires.nextAfter(now)
    }
    this.#followed = now
  }
}
