import type { Clock, Timer } from '../clock.ts'

/** A change by another instance is checked after this delay, in case that instance does not act on it itself. */
const lookAgainAfter = 1000

/** Runs one check at a time. Requests during a check lead to one more check. */
export class CheckLoop {
  readonly #clock: Clock
  readonly #look: () => Promise<void>
  #current: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #timer: Timer | undefined

  /** `look` never rejects. */
  constructor(clock: Clock, look: () => Promise<void>) {
    this.#clock = clock
    this.#look = look
  }

  /** Resolves at the end of a check that began after this call. */
  now(): Promise<void> {
    this.stop()
    this.#next ??= this.#after(this.#current)
    return this.#next
  }

  /** Checks within a second. Several requests share one check. */
  soon(): void {
    this.#timer ??= this.#clock.setTimer(() => void this.now(), lookAgainAfter)
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  async #after(current: Promise<void>): Promise<void> {
    await current
    this.#current = this.#next ?? current
    this.#next = undefined
    await this.#look()
  }
}
