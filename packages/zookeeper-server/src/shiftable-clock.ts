import type { Clock, Timer } from '@elasticjob/zookeeper'

/** A clock whose wall time can jump, as when an operator or a time server sets it. */
export class ShiftableClock implements Clock {
  readonly #clock: Clock
  #shift = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Moves the wall time by `milliseconds` (back, if negative). */
  jump(milliseconds: number): void {
    this.#shift += milliseconds
  }

  now(): number {
    return this.#clock.now() + this.#shift
  }

  monotonic(): number {
    return this.#clock.monotonic()
  }

  boot(): number {
    return this.#clock.boot()
  }

  setTimer(callback: () => void, milliseconds: number): Timer {
    return this.#clock.setTimer(callback, milliseconds)
  }

  afterPoll(callback: () => void): void {
    this.#clock.afterPoll(callback)
  }
}
