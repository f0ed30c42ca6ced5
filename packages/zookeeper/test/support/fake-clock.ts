import type { Clock, Timer } from '@elasticjob/zookeeper'

interface Scheduled extends Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A clock that moves only when it is told to. */
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

  /** The machine sleeps: the wall and the boot clock go on, the monotonic one does not. */
  suspend(milliseconds: number): void {
    this.#suspended += milliseconds
  }

  /** Moves on, firing timers in their order. */
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

  /** Moves on without firing anything, as when the event loop is blocked. */
  block(milliseconds: number): void {
    this.#now += milliseconds
  }
}
