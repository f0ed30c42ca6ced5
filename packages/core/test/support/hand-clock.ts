import type { Clock, Timer } from '../../src/clock.ts'

/** A clock that goes on only when it is told to, whose timers ring and whose sockets are read by hand. */
export class HandClock implements Clock {
  time: number
  readonly timers: { readonly after: number; readonly ring: () => void }[] = []
  readonly #polls: (() => void)[] = []

  constructor(time = 0) {
    this.time = time
  }

  /** Shows whole milliseconds only. */
  readonly now = (): number => Math.floor(this.time)
  readonly monotonic = (): number => this.time
  readonly boot = (): number => this.time

  /** How many wait until sockets are read. */
  get waiting(): number {
    return this.#polls.length
  }

  setTimer(ring: () => void, after: number): Timer {
    this.timers.push({ after, ring })
    return { cancel: () => {} }
  }

  afterPoll(callback: () => void): void {
    this.#polls.push(callback)
  }

  /** Sockets are read once, at that time if one is given. */
  poll(time: number = this.time): void {
    this.time = time
    for (const callback of this.#polls.splice(0)) callback()
  }
}
