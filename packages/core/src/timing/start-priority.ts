import type { Clock, Timer } from '../clock.ts'

/** The maximum delay of deferred work in milliseconds. Without it, an overloaded process would only start runs. */
const longestDelay = 250
/** Deferred work runs for this many milliseconds before the event loop polls the sockets again. */
export const portion = 2

/**
 * Gives starts priority over ends. While runs are between claim and start, completions and other deferrable work wait:
 * if many runs are due at once, the ends of the first would delay the starts of the last.
 */
export class StartPriority {
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  /** Counts groups of runs that are between claim and start. */
  #starting = 0
  #waiting: (() => void)[] = []
  #limit: Timer | undefined
  /** Deferred work has waited for `longestDelay`. */
  #isOverdue = false
  #isWorkingOff = false

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#failed = failed
  }

  /** Call before a claim. Deferrable work waits until the matching `leave`. */
  enter(): void {
    this.#starting += 1
  }

  /** Call when the runs have started or cannot start. */
  leave(): void {
    this.#starting -= 1
    if (this.#starting === 0) this.#workOff()
  }

  /** Runs `work` at once, or when no starts are pending. */
  afterwards(work: () => void): void {
    if (this.#starting === 0 && this.#waiting.length === 0) {
      work()
      return
    }
    this.#waiting.push(work)
    this.#limit ??= this.#clock.setTimer(() => {
      this.#isOverdue = true
      this.#workOff()
    }, longestDelay)
  }

  /** Runs all deferred work now. */
  stop(): void {
    this.#doUntil(Infinity)
  }

  #workOff(): void {
    if (this.#isWorkingOff || this.#waiting.length === 0) return
    this.#isWorkingOff = true
    this.#clock.afterPoll(() => {
      this.#isWorkingOff = false
      if (this.#starting > 0 && !this.#isOverdue) return
      this.#doUntil(this.#clock.monotonic() + portion)
      this.#workOff()
    })
  }

  #doUntil(end: number): void {
    let done = 0
    while (done < this.#waiting.length) {
      const work = this.#waiting[done] as () => void
      done += 1
      this.#try(work)
      if (this.#clock.monotonic() >= end) break
    }
    this.#waiting = this.#waiting.slice(done)
    if (this.#waiting.length > 0) return
    this.#limit?.cancel()
    this.#limit = undefined
    this.#isOverdue = false
  }

  /** A failing item must not block the others. */
  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failed(error)
    }
  }
}
