/**
 * All that a process waits for, behind one timer: 10,000 jobs do not need 10,000 of them. What falls
 * due in the same instant is woken together, so that it can be committed together; where that takes
 * long, in portions, so that the first can be committed while the rest is woken.
 */
import type { Clock, Timer } from '../clock.ts'
import { portion, type StartPriority } from './start-priority.ts'
import { type WakeRequest, type WakePrecision, WakeLeadEstimator } from './wake-lead-estimator.ts'

export interface Wakeable {
  /** `time`: the time that it is, or the one that it was to be woken for if that is a moment ahead. */
  wake(time: number): void
}

interface Entry extends WakeRequest {
  readonly wakeable: Wakeable
  at: number
  precision: WakePrecision
  load: number
  place: number
}

/** The longest sleep in one piece: clocks drift, and may be set. */
const longestSleep = 30_000

export class TimerQueue {
  readonly #clock: Clock
  readonly #now: () => number
  readonly #failed: (error: unknown) => void
  /** A heap: the earliest is first. */
  readonly #heap: Entry[] = []
  readonly #entries = new Map<Wakeable, Entry>()
  #timer: Timer | undefined
  #armedFor: number | undefined
  /** The next poll looks for jobs that are due: no timer is needed. */
  #isLooking = false
  readonly #startPriority: StartPriority
  readonly #lead = new WakeLeadEstimator()
  /** More jobs are due than a portion holds: their runs are about to start. */
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
   * Wakes the job at that time instead of any other time; never if it is undefined. `load`: how much the job has to
   * plan.
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

  /** A job that was woken ahead of that time has planned everything for it. */
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
    // A timer of Node's may be a fraction of a millisecond early: then nothing would be due yet.
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

  /** After a long block timers run before sockets are read: what they hold has to be known first. */
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

  /** Wakes the jobs whose time has come, until the portion ends; says whether some may be left. */
  #wakeDue(end: number): boolean {
    const now = this.#now()
    let moment = this.#clock.monotonic()
    // A job that wants to be woken at once, again and again, has to wait for the others.
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

  /** One job that fails must not keep the others asleep. */
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
