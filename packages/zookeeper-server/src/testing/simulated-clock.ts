import type { Clock, Timer } from '@elasticjob/zookeeper'

interface Waiting {
  readonly at: number
  readonly callback: () => void
  isCancelled: boolean
}

/** 2026-01-01T00:00:00Z: arbitrary, but always the same. */
const assignment = 1_767_225_600_000

/** The maximum number of consecutive ticks before the process may run real timers, sockets and signals. */
const ticksInARow = 64

/**
 * A clock that stands still until it is advanced. Callbacks run in the order of their time, then of their
 * registration.
 */
export class SimulatedClock implements Clock {
  #elapsed = 0
  #ticks = 0
  /** Sorted by time, then registration; the next one is last. */
  readonly #waiting: Waiting[] = []

  now(): number {
    return assignment + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  boot(): number {
    return this.#elapsed
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#waiting.length
  }

  setTimer(callback: () => void, milliseconds: number): Timer {
    const waiting: Waiting = {
      at: this.#elapsed + Math.max(milliseconds, 0),
      callback,
      isCancelled: false,
    }
    this.#waiting.splice(this.#placeFor(waiting.at), 0, waiting)
    return {
      cancel: () => {
        if (waiting.isCancelled) return
        waiting.isCancelled = true
        const index = this.#waiting.lastIndexOf(waiting)
        if (index !== -1) this.#waiting.splice(index, 1)
      },
    }
  }

  afterPoll(callback: () => void): void {
    this.setTimer(callback, 0)
  }

  /**
   * Advances the time by this many milliseconds. Each timer sees its own time, and everything that follows
   * from it without waiting happens before the next one.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds
    await this.#settled()
    for (
      let next = this.#waiting.at(-1);
      next !== undefined && next.at <= end;
      next = this.#waiting.at(-1)
    ) {
      this.#waiting.pop()
      this.#elapsed = Math.max(this.#elapsed, next.at)
      next.callback()
      await this.#settled()
    }
    this.#elapsed = end
  }

  /** Advances the time until the promise is settled, by at most `limit` milliseconds. */
  async until<T>(promise: Promise<T>, limit: number = 3_600_000): Promise<T> {
    const outcome = { isSettled: false }
    const settled = promise.finally(() => {
      outcome.isSettled = true
    })
    // Awaited below; until then a rejection must not count as unhandled.
    settled.catch(() => {})
    const end = this.#elapsed + limit
    await this.#settled()
    while (!outcome.isSettled) {
      const next = this.#waiting.at(-1)
      if (next === undefined || next.at > end) {
        throw new Error(`still waiting after ${limit} simulated milliseconds`)
      }
      await this.advance(Math.max(next.at - this.#elapsed, 0))
    }
    return settled
  }

  /**
   * Runs everything that waits for promises only. A tick runs when the microtask queue is empty, for a
   * fraction of the cost of a turn of the event loop. Now and then it is a full turn, so that the process can
   * be interrupted and unhandled rejections are detected.
   */
  #settled(): Promise<void> {
    this.#ticks = (this.#ticks + 1) % ticksInARow
    return new Promise((resolve) => {
      if (this.#ticks === 0) setImmediate(resolve)
      else process.nextTick(resolve)
    })
  }

  /** The index before all timers that are due no later. */
  #placeFor(at: number): number {
    let low = 0
    let high = this.#waiting.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#waiting[middle] as Waiting).at > at) low = middle + 1
      else high = middle
    }
    return low
  }
}
