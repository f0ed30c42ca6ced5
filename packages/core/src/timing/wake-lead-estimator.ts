/** Estimates how long before a fire time jobs have to wake to complete their plans by then. */
import { longestLead, timerLateness } from './precise-timer.ts'

/** `just before`: early enough that the work is prepared at the fire time, even if many jobs wake at once. */
export type WakePrecision = 'just before' | 'about then'

export interface WakeRequest {
  readonly at: number
  readonly precision: WakePrecision
  /** How much the job has to plan. */
  readonly load: number
}

/** The jobs that woke for one time. */
interface Waking {
  readonly at: number
  /** How much the jobs had to plan for it. */
  readonly load: number
  /** When the first job woke, and when the last one so far was ready, in monotonic time. */
  readonly begun: number
  ready: number | undefined
}

/** The initial estimate of the planning time, in total and per unit of load, in milliseconds. */
const firstEffort = 2
const firstEffortForEach = 0.1
/** The weight of the last measurement if it took longer than estimated, and if it did not. */
const weightOfLonger = 0.5
const weightOfShorter = 0.05
/** Covers other work in between, and pauses of the process. */
const reserve = 1.25

/** Learns the lead from how long the jobs took at earlier times with a similar load. */
export class WakeLeadEstimator {
  readonly #loads = new Map<number, number>()
  /** The planning time for loads up to each power of two. */
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
    // Other jobs already woke for the same time: less work is left, but the rest must not wake later because of that.
    if (at === this.#last?.at) return at - longestLead
    const effort = this.#effortFor(sizeOf(this.#loads.get(at) ?? 1))
    return at - Math.min(Math.ceil(timerLateness + effort * reserve), longestLead)
  }

  /** Call before a job wakes and while its load is still counted. */
  waking({ at, precision }: WakeRequest, monotonic: number): void {
    if (precision !== 'just before' || at === this.#last?.at) return
    this.#learn()
    this.#last = { at, load: this.#loads.get(at) ?? 1, begun: monotonic, ready: undefined }
  }

  /** A job that woke for that time has completed its plans for it. */
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

/** The size class of a load: loads up to this power of two, and above the one below it, take a similar time. */
function sizeOf(load: number): number {
  return Math.ceil(Math.log2(load))
}
