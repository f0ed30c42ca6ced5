/** How long before its time those are woken who have to be ready then. */
import { longestLead, timerLateness } from '../registry/on-the-dot.ts'

/** `just before`: so early that what is to be done on the dot is ready then, also where many are woken. */
export type Punctuality = 'just before' | 'about then'

export interface Appointment {
  readonly at: number
  readonly punctuality: Punctuality
  /** How much there is to be made ready. */
  readonly load: number
}

/** What it takes to make one thing ready, in milliseconds, as long as nobody was woken. */
const firstEffort = 0.1
/** By how much a new effort counts beside those before it. */
const weight = 0.02
/** Something else may be done in between, and a pause of the process may fall into it. */
const reserve = 2
/** Leads are whole multiples of it: with every one more the timer would have to be set anew. */
const step = 10

/** The longer, the more is to be made ready for that time, and the more it takes to make one thing ready. */
export class WakingLead {
  readonly #loads = new Map<number, number>()
  #effort = firstEffort
  #begun: number | undefined

  added({ at, punctuality, load }: Appointment): void {
    if (punctuality !== 'just before') return
    this.#loads.set(at, (this.#loads.get(at) ?? 0) + load)
  }

  removed({ at, punctuality, load }: Appointment): void {
    if (punctuality !== 'just before') return
    const left = (this.#loads.get(at) ?? 0) - load
    if (left > 0) this.#loads.set(at, left)
    else this.#loads.delete(at)
  }

  clear(): void {
    this.#loads.clear()
  }

  wakeTimeOf({ at, punctuality }: Appointment): number {
    if (punctuality !== 'just before') return at
    // Others were woken for the same time already: less is left, but it is not begun later for that.
    if (at === this.#begun) return at - longestLead
    return at - this.#leadOf(this.#loads.get(at) ?? 0)
  }

  /** One was woken, which took so many milliseconds. */
  woken({ at, punctuality, load }: Appointment, effort: number): void {
    if (punctuality !== 'just before') return
    this.#begun = at
    this.#effort += (effort / load - this.#effort) * weight
  }

  #leadOf(load: number): number {
    const needed = load * this.#effort * reserve
    if (needed <= timerLateness) return timerLateness
    return Math.min(Math.ceil(needed / step) * step, longestLead)
  }
}
