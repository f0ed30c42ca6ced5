import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import { planClockRefusal } from '../servers/plan.ts'

/** Watches whether the clock of this machine is further from the registry's than a job allows. */
export class ClockGuard {
  readonly #session: RegistrySession
  readonly #refused: (difference: number, limit: number) => void
  #isRefused = false

  /** `refused` is told by how many milliseconds the clock is off, once until it is right again. */
  constructor(session: RegistrySession, refused: (difference: number, limit: number) => void) {
    this.#session = session
    this.#refused = refused
  }

  /** `limit` in seconds; below 0 for none. */
  refuses(limit: number): boolean {
    const difference = this.#difference
    const isRefused = limit >= 0 && Math.abs(difference) > limit * 1000
    if (isRefused && !this.#isRefused) this.#refused(difference, limit)
    this.#isRefused = isRefused
    return isRefused
  }

  /** Operators see in the job's state which clocks are refused. */
  planRefusal(view: JobView, me: Member): TransactionPart[] {
    return planClockRefusal(view, me, this.#difference)
  }

  /** By how many milliseconds the clock of this machine is ahead of the registry's. */
  get #difference(): number {
    return this.#session.clock.now() - this.#session.now()
  }
}
