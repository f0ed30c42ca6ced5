/**
 * Starts the runs of a process on time. Jobs wake ahead of a fire time by the duration of their plans (`TimerQueue`,
 * `WakeLeadEstimator`). Planned runs wait for the exact time (`PreciseTimer`). Starts have priority over ends
 * (`StartPriority`).
 */
import type { Clock } from '../clock.ts'
import { longestLead } from './precise-timer.ts'
import { StartPriority } from './start-priority.ts'
import { TimerQueue, type Wakeable } from './timer-queue.ts'
import type { WakePrecision } from './wake-lead-estimator.ts'

/** The time before which no instance claims a shard for the fire time. */
export function earliestClaimFor(fireTime: number): number {
  return fireTime - longestLead
}

/** Shared by all jobs of a process. */
export class Timing {
  readonly startPriority: StartPriority
  readonly #timers: TimerQueue

  /** `now`: the registry's time, which fire times refer to. */
  constructor(clock: Clock, now: () => number, failed: (error: unknown) => void) {
    this.startPriority = new StartPriority(clock, failed)
    this.#timers = new TimerQueue(clock, now, this.startPriority, failed)
  }

  /**
   * Sets the wake time of a job and replaces an earlier one; never wakes it if undefined. `load`: the number of shards
   * that the job plans for.
   */
  wakeAt(job: Wakeable, time: number | undefined, precision?: WakePrecision, load?: number): void {
    this.#timers.set(job, time, precision, load)
  }

  /** A job has completed its plans for the fire time; the duration determines how early jobs wake. */
  ready(fireTime: number): void {
    this.#timers.ready(fireTime)
  }

  stop(): void {
    this.#timers.stop()
    this.startPriority.stop()
  }
}
