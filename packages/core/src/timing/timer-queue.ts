/**
 * The wake times of all jobs of a process, behind one timer: 10,000 jobs do not need 10,000 timers. Jobs that are due
 * at the same instant wake together, so that their claims can be committed together. If that takes long they wake in
 * portions, so that the first claims can be committed while the rest wakes.
 */
import type { Clock, Timer } from '../clock.ts'
import { portion, type StartPriority } from './start-priority.ts'
import { type WakeRequest, type WakePrecision, WakeLeadEstimator } from './wake-lead-estimator.ts'

export interface Wakeable {
  /** `time`: the current time, or the requested wake time if that is slightly ahead. */
  wake(time: number): void
}

interface Entry extends WakeRequest {
  readonly wakeable: Wakeable
  at: number
  precision: WakePrecision
  load: number
  place: number
}

/** The maximum delay of one timer, in milliseconds: clocks drift, and may be set. */
const longestSleep = 30_000

export class TimerQueue {
  readonly #clock: Clock
  readonly #now: () => number
  readonly #failed: (error: unknown) => void
  /** A binary heap: the earliest entry is first. */
  readonly #heap: Entry[] = []
  readonly #entries = new Map<Wakeable, Entry>()
  #timer: Timer | undefined
  #armedFor: number | undefined
  /** The next poll checks for due jobs: no timer is needed. */
  #isLooking = false
  readonly #startPriority: StartPriority
  readonly #lead = new WakeLeadEstimator()
  /** More jobs are due than fit in a portion: their runs are about to start. */
  #isPressed = false

  constructor(
    clock: Clock,
    now: () => number,
    startPriority: StartPriority,
    failed: (error: unknown) => void,
  ) {
    this.#clock = clock
    this.#now = now
    this.#startPriority = startPriority
    this.#failed = failed
  }

  get size(): number {
    return this.#heap.length
  }

  /**
   * Sets the wake time of the job and replaces an earlier one; never wakes it if undefined. `load`: how much the job
   * has to plan.
   */
  set(
    wakeable: Wakeable,
    at: number | undefined,
    precision: WakePrecision = 'about then',
    load = 1,
  ): void {
    const entry = this.#entries.get(wakeable)
    if (at === undefined) {
      if (entry !== undefined) this.#remove(entry)
    } else if (entry === undefined) {
      const added = { wakeable, at, precision, load, place: this.#heap.length }
      this.#entries.set(wakeable, added)
      this.#heap.push(added)
      this.#rise(added)
      this.#lead.added(added)
    } else if (entry.at !== at || entry.precision !== precision || entry.load !== load) {
      this.#lead.removed(entry)
      entry.at = at
      entry.precision = precision
      entry.load = load
      this.#lead.added(entry)
      this.#rise(entry)
      this.#sink(entry)
    }
    this.#arm()
  }

  /** A job that woke ahead of that time has completed its plans for it. */
  ready(at: number): void {
    this.#lead.ready(at, this.#clock.monotonic())
  }

  stop(): void {
    this.#disarm()
    this.#heap.length = 0
    this.#entries.clear()
    this.#lead.clear()
  }

  #arm(): void {
    if (this.#isLooking) return
    const first = this.#heap[0]
    if (first === undefined) {
      this.#disarm()
      return
    }
    const ringAt = this.#lead.wakeTimeOf(first)
    if (this.#timer !== undefined && this.#armedFor === ringAt) return
    this.#disarm()
    this.#armedFor = ringAt
    const delay = Math.min(Math.max(ringAt - this.#now(), 0), longestSleep)
    // A timer of Node may fire a fraction of a millisecond early: without rounding up, nothing would be due yet.
    this.#timer = this.#clock.setTimer(() => this.#rung(), Math.ceil(delay))
  }

  #disarm(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#armedFor = undefined
  }

  #rung(): void {
    this.#disarm()
    this.#look()
  }

  /** After a long block, timers run before sockets are read: the data in the sockets has to be processed first. */
  #look(): void {
    this.#isLooking = true
    this.#clock.afterPoll(() => {
      const areMoreDue = this.#wakeDue(this.#clock.monotonic() + portion)
      if (areMoreDue !== this.#isPressed) {
        this.#isPressed = areMoreDue
        if (areMoreDue) this.#startPriority.enter()
        else this.#startPriority.leave()
      }
      this.#isLooking = false
      if (areMoreDue) this.#look()
      else this.#arm()
    })
  }

  /** Wakes the due jobs until the portion ends; returns whether some may be left. */
  #wakeDue(end: number): boolean {
    const now = this.#now()
    let moment = this.#clock.monotonic()
    // A job that requests to wake at once, repeatedly, has to wait for the others.
    for (let turns = this.#heap.length; turns > 0; turns -= 1) {
      const first = this.#heap[0]
      if (first === undefined || this.#lead.wakeTimeOf(first) > now) return false
      this.#lead.waking(first, moment)
      this.#remove(first)
      this.#wake(first.wakeable, Math.max(first.at, now))
      moment = this.#clock.monotonic()
      if (moment >= end) return true
    }
    return false
  }

  /** A failing job must not keep the others from waking. */
  #wake(wakeable: Wakeable, time: number): void {
    try {
      wakeable.wake(time)
    } catch (error) {
      this.#failed(error)
    }
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.wakeable)
    this.#lead.removed(entry)
    const last = this.#heap.pop()
    if (last === undefined || last === entry) return
    last.place = entry.place
    this.#heap[entry.place] = last
    this.#rise(last)
    this.#sink(last)
  }

  #rise(entry: Entry): void {
    while (entry.place > 0) {
      const parent = this.#heap[(entry.place - 1) >> 1] as Entry
      if (parent.at <= entry.at) return
      this.#swap(entry, parent)
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#heap[entry.place * 2 + 1]
      const right = this.#heap[entry.place * 2 + 2]
      const child = right !== undefined && left !== undefined && right.at < left.at ? right : left
      if (child === undefined || child.at >= entry.at) return
      this.#swap(entry, child)
    }
  }

  #swap(a: Entry, b: Entry): void {
    const place = a.place
    this.#heap[b.place] = a
    this.#heap[place] = b
    a.place = b.place
    b.place = place
  }
}
