/** The fire times of a job, from its cron expression. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { parseCron } from '../cron/cron.ts'
import type { FireTimes } from '../fire-times/due.ts'
import { scheduleDigest } from '../job-tree/timeline.ts'

/** Follows the fire times as time passes, and evaluates the expression as rarely as possible. */
export class Schedule {
  readonly fires: FireTimes | undefined
  readonly digest: string
  readonly #window: number
  #next: number | undefined
  #latest: number | undefined
  /** The time for which `#latest` and `#next` were last computed. */
  #followed = Infinity

  constructor(
    configuration: Pick<JobConfiguration, 'cron' | 'timeZone'>,
    /** In mixed mode a job fires at the same second as in Java. */
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

  /** The next fire time. */
  next(now: number): number | undefined {
    this.#advance(now)
    return this.#next
  }

  /** The last fire time that has passed; undefined if none has passed since this schedule is followed. */
  latest(now: number): number | undefined {
    this.#advance(now)
    return this.#latest
  }

  #advance(now: number): void {
    if (this.fires === undefined) return
    // If the clock was ahead and is corrected, the job must not stay silent until the wrong time comes.
    const begins = now < this.#followed
    if (!begins && (this.#next === undefined || now < this.#next)) return
    const passed = begins ? undefined : this.#next
    const following = passed === undefined ? undefined : this.fires.nextAfter(passed)
    if (following !== undefined && following > now) {
      // Exactly one fire time has passed: no search is needed.
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
