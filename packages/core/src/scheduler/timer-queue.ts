/**
 * All that a process waits for, behind one timer: 10,000 jobs do not need 10,000 of them. What falls
 * due in the same instant is woken together, so that it can be committed together.
 */
import type { Clock, Timer } from '../clock.ts'

export interface Sleeper {
  wake(): void
}

interface Entry {
  readonly sleeper: Sleeper
  at: number
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
  readonly #entries = new Map<Sleeper, Entry>()
  #timer: Timer | undefined
  #armedFor = Infinity

  constructor(clock: Clock, now: () => number, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#now = now
    this.#failed = failed
  }

  get size(): number {
    return this.#heap.length
  }

  /** Wakes the sleeper at that time, instead of any other time; never if it is undefined. */
  set(sleeper: Sleeper, at: number | undefined): void {
    const entry = this.#entries.get(sleeper)
    if (at === undefined) {
      if (entry !== undefined) this.#remove(entry)
    } else if (entry === undefined) {
      const added = { sleeper, at, place: this.#heap.length }
      this.#entries.set(sleeper, added)
      this.#heap.push(added)
      this.#rise(added)
    } else if (entry.at !== at) {
      entry.at = at
      this.#rise(entry)
      this.#sink(entry)
    }
    this.#arm()
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#armedFor = Infinity
    this.#heap.length = 0
    this.#entries.clear()
  }

  #arm(): void {
    const first = this.#heap[0]
    if (first === undefined) {
      this.#timer?.cancel()
      this.#timer = undefined
      this.#armedFor = Infinity
      return
    }
    if (this.#timer !== undefined && this.#armedFor === first.at) return
    this.#timer?.cancel()
    this.#armedFor = first.at
    const delay = Math.min(Math.max(first.at - this.#now(), 0), longestSleep)
    // A timer of Node's may be a fraction of a millisecond early: then nothing would be due yet.
    this.#timer = this.#clock.setTimer(() => this.#rung(), Math.ceil(delay))
  }

  /** After a long block timers run before sockets are read: what they hold has to be known first. */
  #rung(): void {
    this.#clock.afterPoll(() => {
      if (this.#timer === undefined) return
      // Another one, if somebody with an earlier time came in between.
      this.#timer.cancel()
      this.#timer = undefined
      this.#armedFor = Infinity
      const now = this.#now()
      const due: Sleeper[] = []
      for (
        let first = this.#heap[0];
        first !== undefined && first.at <= now;
        first = this.#heap[0]
      ) {
        this.#remove(first)
        due.push(first.sleeper)
      }
      for (const sleeper of due) this.#wake(sleeper)
      this.#arm()
    })
  }

  #wake(sleeper: Sleeper): void {
    try {
      sleeper.wake()
    } catch (error) {
      // One job that fails must not keep the others asleep.
      this.#failed(error)
    }
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.sleeper)
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
