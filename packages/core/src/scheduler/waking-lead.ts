/** How long before its time those are woken who have to be ready then. */
import { longestLead, timerLateness } from '../registry/on-the-dot.ts'

/** `just before`: so early that what is to be done on the dot is ready then, also where many are woken. */
export type Punctuality = 'just before' | 'about then'

interface Appointment {
  readonly at: number
  readonly punctuality: Punctuality
}

/** What it takes to wake one, in milliseconds, as long as nobody was woken. */
const firstEffort = 0.1
/** By how much a new effort counts beside those before it. */
const weight = 0.02
/** Something else may be done in between, and a pause of the process may fall into it. */
const reserve = 2
/** Leads are whole multiples of it: with every one more the timer would have to be set anew. */
const step = 10

/** The longer, the more are to be woken for that time, and the more it takes to wake one of them. */
export class WakingLead {
  readonly #counts = new Map<number, number>()
  #effort = firstEffort
  #begun: number | undefined

  added({ at, punctuality }: Appointment): void {
    if (punctuality !== 'just before') return
    this.#counts.set(at, (this.#counts.get(at) ?? 0) + 1)
  }

  removed({ at, punctuality }: Appointment): void {
    if (punctuality !== 'just before') return
    const left = (this.#counts.get(at) ?? 0) - 1
    if (left > 0) this.#counts.set(at, left)
    else this.#counts.delete(at)
  }

  clear(): void {
    this.#counts.clear()
  }

  wakeTimeOf({ at, punctuality }: Appointment): number {
    if (punctuality !== 'just before') return at
    // Of whom others were woken for the same time already: fewer are left, and need less, but not later.
    if (at === this.#begun) return at - longestLead
    return at - this.#leadOf(this.#counts.get(at) ?? 0)
  }

  /** One was woken, which took so many milliseconds. */
  woken({ at, punctuality }: Appointment, effort: number): void {
    if (punctuality !== 'just before') return
    this.#begun = at
    this.#effort += (effort - this.#effort) * weight
  }

  #leadOf(count: number): number {
    const needed = count * this.#effort * reserve
    if (needed <= timerLateness) return timerLateness
    return Math.min(Math.ceil(needed / step) * step, longestLead)
  }
}
