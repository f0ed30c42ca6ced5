/** Events that wait for a situation: looked at shortly after each transaction, and when the phase of a leader ends. */
import type { Clock, Timer } from '@elasticjob/zookeeper'

import type { Event, JobPlan } from './scenario.ts'
import type { Situations } from './situation.ts'

/** How long after a transaction the situation is looked at, in milliseconds. */
const lookAfter = 50

export class WaitingEvents {
  readonly #clock: Clock
  readonly #jobs: readonly JobPlan[]
  readonly #situations: Situations
  readonly #perform: (event: Event) => void
  #waiting: Event[] = []
  #look: { readonly timer: Timer; readonly at: number } | undefined

  constructor(
    clock: Clock,
    jobs: readonly JobPlan[],
    situations: Situations,
    perform: (event: Event) => void,
  ) {
    this.#clock = clock
    this.#jobs = jobs
    this.#situations = situations
    this.#perform = perform
  }

  /** Its time has come: it is performed now, or as soon as its job is in its situation. */
  add(event: Event): void {
    if (this.#isReady(event)) this.#perform(event)
    else {
      this.#waiting.push(event)
      this.#lookAtPhaseEnd()
    }
  }

  /** A transaction was committed. */
  changed(): void {
    if (this.#waiting.length > 0) this.#lookIn(lookAfter)
  }

  /** Whatever still waits never comes. */
  clear(): void {
    this.#waiting = []
    this.#look?.timer.cancel()
    this.#look = undefined
  }

  #isReady({ when }: Event): boolean {
    if (when === undefined) return true
    const jobName = this.#jobs[when.job]?.jobName
    return jobName !== undefined && this.#situations.has(jobName, when)
  }

  #lookIn(milliseconds: number): void {
    const at = this.#clock.monotonic() + milliseconds
    if (this.#look !== undefined) {
      if (this.#look.at <= at) return
      this.#look.timer.cancel()
    }
    this.#look = { at, timer: this.#clock.setTimer(() => this.#lookNow(), milliseconds) }
  }

  #lookNow(): void {
    this.#look = undefined
    const ready = this.#waiting.filter((event) => this.#isReady(event))
    if (ready.length > 0) {
      this.#waiting = this.#waiting.filter((event) => !ready.includes(event))
      for (const event of ready) this.#perform(event)
    }
    this.#lookAtPhaseEnd()
  }

  #lookAtPhaseEnd(): void {
    const jobs = new Set(this.#waiting.map(({ when }) => when?.job))
    for (const job of jobs) {
      const jobName = this.#jobs[job ?? -1]?.jobName
      const end = jobName === undefined ? undefined : this.#situations.phaseEndsIn(jobName)
      if (end !== undefined) this.#lookIn(end)
    }
  }
}
