/**
 * How the runs of a process start on time. Jobs wake ahead of a fire time, by as much as their plans take
 * (`TimerQueue`, `WakeLeadEstimator`); planned runs wait for the exact time (`PreciseTimer`); and starts go before ends
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

  /** `now`: the registry's time, in which fire times are. */
  constructor(clock: Clock, now: () => number, failed: (error: unknown) => void) {
    this.startPriority = new StartPriority(clock, failed)
    this.#timers = new TimerQueue(clock, now, this.startPriority, failed)
  }

  /**
   * Wakes a job at that time instead of any time that was set before; never if it is undefined. `load`: for how many
   * shards the job plans then.
   */
  wakeAt(job: Wakeable, time: number | undefined, precision?: WakePrecision, load?: number): void {
    this.#timers.set(job, time, precision, load)
  }

  /** A job has planned everything for the fire time; how long that took decides how early jobs wake. */
  ready(fireTime: number): void {
    this.#timers.ready(fireTime)
  }

  stop(): void {
    this.#timers.stop()
    this.startPriority.stop()
  }
}
