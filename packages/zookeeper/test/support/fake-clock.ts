import type { Clock, Timer } from '@elasticjob/zookeeper'

interface Scheduled extends Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A clock that advances only on command. */
export class FakeClock implements Clock {
  #now = 1_000_000
  #suspended = 0
  #order = 0
  #timers: Scheduled[] = []

  now(): number {
    return this.#now + this.#suspended
  }

  monotonic(): number {
    return this.#now
  }

  boot(): number {
    return this.#now + this.#suspended
  }

  setTimer(run: () => void, milliseconds: number): Timer {
    const timer: Scheduled = {
      at: this.#now + Math.max(0, milliseconds),
      order: this.#order++,
      run,
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      },
    }
    this.#timers.push(timer)
    return timer
  }

  afterPoll(callback: () => void): void {
    callback()
  }

  get pendingTimers(): number {
    return this.#timers.length
  }

  /** Suspends the machine: the wall clock and the boot clock advance, the monotonic clock does not. */
  suspend(milliseconds: number): void {
    this.#suspended += milliseconds
  }

  /** Advances the time, firing timers in order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const [next] = this.#timers
        .filter(({ at }) => at <= end)
        .toSorted((one, other) => one.at - other.at || one.order - other.order)
      if (next === undefined) break
      next.cancel()
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = end
  }

  /** Advances the time without firing timers, as when the event loop is blocked. */
  block(milliseconds: number): void {
    this.#now += milliseconds
  }
}
