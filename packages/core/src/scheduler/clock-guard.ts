import type { TransactionPart } from '../registry/transaction.ts'
import { planClockRefusal } from '../servers/plan.ts'
import type { JobContext } from './job-context.ts'

/** Watches whether the clock of this machine is further from the registry's than a job allows. */
export class ClockGuard {
  readonly #context: JobContext
  #wasRefused = false

  constructor(context: JobContext) {
    this.#context = context
  }

  /** Whether the clock is wrong; an event tells of it once until it is right again. */
  get isRefused(): boolean {
    const { jobName, live, emit } = this.#context
    const { maxTimeDiffSeconds: limit } = live.value
    const difference = this.#difference
    const isRefused = limit >= 0 && Math.abs(difference) > limit * 1000
    if (isRefused && !this.#wasRefused) emit('clock:refused', { jobName, difference, limit })
    this.#wasRefused = isRefused
    return isRefused
  }

  /** Operators see in the job's state which clocks are refused. */
  planRefusal(): TransactionPart[] {
    return planClockRefusal(this.#context.replica, this.#context.member(), this.#difference)
  }

  /** By how many milliseconds the clock of this machine is ahead of the registry's. */
  get #difference(): number {
    const { session } = this.#context
    return session.clock.now() - session.now()
  }
}
