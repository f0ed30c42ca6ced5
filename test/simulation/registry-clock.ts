import type { Clock, Timer } from '@elasticjob/zookeeper'

/** The clock of the servers, whose wall time can be set: the times of nodes come from it. */
export class RegistryClock implements Clock {
  readonly #base: Clock
  /** By how much it is ahead of everybody's. */
  ahead = 0

  constructor(base: Clock) {
    this.#base = base
  }

  jump(milliseconds: number): void {
    this.ahead += milliseconds
  }

  now(): number {
    return this.#base.now() + this.ahead
  }

  monotonic(): number {
    return this.#base.monotonic()
  }

  boot(): number {
    return this.#base.boot()
  }

  setTimer(callback: () => void, milliseconds: number): Timer {
    return this.#base.setTimer(callback, milliseconds)
  }

  afterPoll(callback: () => void): void {
    this.#base.afterPoll(callback)
  }
}
