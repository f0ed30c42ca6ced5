import type { Clock, Timer } from '../clock.ts'

/** For so many milliseconds, what can wait does wait. Longer, and a process with too much to do would do nothing else. */
const longestDelay = 250
/** For so many milliseconds one thing is done after the other before the sockets get their turn. */
export const portion = 2

/**
 * While somebody is about to begin, what can wait does: where many are due at once, the ends of the first would
 * make the last begin late.
 */
export class StartPriority {
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  /** How many are about to begin. */
  #starting = 0
  #waiting: (() => void)[] = []
  #limit: Timer | undefined
  /** What waits has waited for long enough. */
  #isOverdue = false
  #isWorkingOff = false

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#failed = failed
  }

  /** Somebody is about to begin, until it leaves. */
  enter(): void {
    this.#starting += 1
  }

  /** It has begun, or cannot. */
  leave(): void {
    this.#starting -= 1
    if (this.#starting === 0) this.#workOff()
  }

  /** Does it at once, or when nobody is about to begin any more. */
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

  /** Does all of it now. */
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

  /** One that fails must not keep the others waiting. */
  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failed(error)
    }
  }
}
