import type { TransactionPart } from '../registry/transaction.ts'
import { planClockRefusal } from '../servers/plan.ts'
import type { JobContext } from './job-context.ts'

/** Checks whether the clock of this machine differs from the registry's by more than a job allows. */
export class ClockGuard {
  readonly #context: JobContext
  #wasRefused = false

  constructor(context: JobContext) {
    this.#context = context
  }

  /** Whether the clock is wrong. An event reports it once, until the clock is right again. */
  get isRefused(): boolean {
    const { jobName, live, emit } = this.#context
    const { maxTimeDiffSeconds: limit } = live.value
    const difference = this.#difference
    const isRefused = limit >= 0 && Math.abs(difference) > limit * 1000
    if (isRefused && !this.#wasRefused) emit('clock:refused', { jobName, difference, limit })
    this.#wasRefused = isRefused
    return isRefused
  }

  /** The job state shows operators which clocks are refused. */
  planRefusal(): TransactionPart[] {
    return planClockRefusal(this.#context.replica, this.#context.member(), this.#difference)
  }

  /** By how many milliseconds the clock of this machine is ahead of the registry's. */
  get #difference(): number {
    const { session } = this.#context
    return session.clock.now() - session.now()
  }
}
