import type { Clock, Timer } from '@elasticjob/zookeeper'

interface Waiting {
  readonly at: number
  readonly callback: () => void
}

/** Wall time is the machine's; the monotonic time advances only on request. */
export class ManualClock implements Clock {
  #elapsed = 0
  readonly #waiting = new Set<Waiting>()

  now(): number {
    return Date.now()
  }

  monotonic(): number {
    return this.#elapsed
  }

  boot(): number {
    return this.#elapsed
  }

  setTimer(callback: () => void, milliseconds: number): Timer {
    const waiting = { at: this.#elapsed + milliseconds, callback }
    this.#waiting.add(waiting)
    return { cancel: () => void this.#waiting.delete(waiting) }
  }

  afterPoll(callback: () => void): void {
    callback()
  }

  advance(milliseconds: number): void {
    this.#elapsed += milliseconds
    const due = [...this.#waiting].filter(({ at }) => at <= this.#elapsed)
    for (const waiting of due) {
      if (this.#waiting.delete(waiting)) waiting.callback()
    }
  }
}
