/** How long before a fire time jobs wake, so that they have planned everything by then. */
import { longestLead, timerLateness } from './precise-timer.ts'

/** `just before`: early enough that the work is prepared at the fire time, even if many jobs wake at once. */
export type WakePrecision = 'just before' | 'about then'

export interface WakeRequest {
  readonly at: number
  readonly precision: WakePrecision
  /** How much there is to be made ready. */
  readonly load: number
}

/** The jobs that were woken for one time. */
interface Waking {
  readonly at: number
  /** How much there was to be made ready for it. */
  readonly load: number
  /** When the first of them was woken, and when the last that is known was ready, by a clock of its own. */
  readonly begun: number
  ready: number | undefined
}

/** Until it is known: what is taken to be ready, for all and for each, in milliseconds. */
const firstEffort = 2
const firstEffortForEach = 0.1
/** By how much the last time counts if it took longer than expected, and if it did not. */
const weightOfLonger = 0.5
const weightOfShorter = 0.05
/** Something else may be done in between, and a pause of the process may fall into it. */
const reserve = 1.25

/** Learns the lead from how long the jobs took the last times that there was about as much to plan. */
export class WakeLeadEstimator {
  readonly #loads = new Map<number, number>()
  /** How long it takes, for loads up to each power of two. */
  readonly #efforts: number[] = []
  #last: Waking | undefined

  added({ at, precision, load }: WakeRequest): void {
    if (precision !== 'just before') return
    this.#loads.set(at, (this.#loads.get(at) ?? 0) + load)
  }

  removed({ at, precision, load }: WakeRequest): void {
    if (precision !== 'just before') return
    const left = (this.#loads.get(at) ?? 0) - load
    if (left > 0) this.#loads.set(at, left)
    else this.#loads.delete(at)
  }

  clear(): void {
    this.#loads.clear()
  }

  wakeTimeOf({ at, precision }: WakeRequest): number {
    if (precision !== 'just before') return at
    // Other jobs were woken for the same time already: less is left, and the rest does not wake later for that.
    if (at === this.#last?.at) return at - longestLead
    const effort = this.#effortFor(sizeOf(this.#loads.get(at) ?? 1))
    return at - Math.min(Math.ceil(timerLateness + effort * reserve), longestLead)
  }

  /** A job is about to be woken, and not removed yet. */
  waking({ at, precision }: WakeRequest, monotonic: number): void {
    if (precision !== 'just before' || at === this.#last?.at) return
    this.#learn()
    this.#last = { at, load: this.#loads.get(at) ?? 1, begun: monotonic, ready: undefined }
  }

  /** A job that was woken for that time has planned everything for it. */
  ready(at: number, monotonic: number): void {
    if (this.#last?.at === at) this.#last.ready = monotonic
  }

  #learn(): void {
    if (this.#last?.ready === undefined) return
    const { load, begun, ready } = this.#last
    const size = sizeOf(load)
    const expected = this.#effortFor(size)
    const took = Math.min(ready - begun, longestLead)
    const weight = took > expected ? weightOfLonger : weightOfShorter
    this.#efforts[size] = expected + (took - expected) * weight
  }

  #effortFor(size: number): number {
    return this.#efforts[size] ?? firstEffort + firstEffortForEach * 2 ** size
  }
}

/** Loads of a size take about as long: as many as this power of two, and more than half of them. */
function sizeOf(load: number): number {
  return Math.ceil(Math.log2(load))
}
