import type { Clock, Timer } from '@elasticjob/zookeeper'

interface Waiting {
  readonly at: number
  readonly callback: () => void
  isCancelled: boolean
}

/** 2026-01-01T00:00:00Z: any moment will do, as long as it is always the same. */
const epoch = 1_767_225_600_000

/** So many ticks in a row may keep the process from its real timers, sockets and signals. */
const ticksInARow = 64

/**
 * A clock that stands still until it is told to go on. Everything that waits for it happens in the
 * order of its time, and of its asking where the time is the same.
 */
export class SimulatedClock implements Clock {
  #elapsed = 0
  #ticks = 0
  /** The next one is last. Sorted by time; those of the same time by when they were asked for. */
  readonly #waiting: Waiting[] = []

  now(): number {
    return epoch + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  boot(): number {
    return this.#elapsed
  }

  /** How many timers wait. */
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
   * Lets so many milliseconds pass. Each timer finds the clock at its own time, and all that
   * follows from it without waiting has happened before the next one.
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

  /** Lets time pass until the promise is settled, at most `limit` milliseconds of it. */
  async until<T>(promise: Promise<T>, limit: number = 3_600_000): Promise<T> {
    const outcome = { isSettled: false }
    const settled = promise.finally(() => {
      outcome.isSettled = true
    })
    // Awaited below; until then nobody else looks at how it ends.
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
   * Lets everything happen that waits for promises alone. A tick comes when no promise has anything
   * left to do, for a fraction of what a turn of the event loop costs. Now and then it is a turn all
   * the same: the process can be interrupted then, and hears of rejections that nobody handles.
   */
  #settled(): Promise<void> {
    this.#ticks = (this.#ticks + 1) % ticksInARow
    return new Promise((resolve) => {
      if (this.#ticks === 0) setImmediate(resolve)
      else process.nextTick(resolve)
    })
  }

  /** The place before all that is due no later. */
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
