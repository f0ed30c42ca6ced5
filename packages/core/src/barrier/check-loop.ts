import type { Clock, Timer } from '../clock.ts'

/** What may have been made different by others is looked at after so long, in case they do not act on it. */
const lookAgainAfter = 1000

/** One look at a time: whatever happens in the middle of one leads to one more. */
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

  /** Resolves at the end of a look that began after this was called. */
  now(): Promise<void> {
    this.stop()
    this.#next ??= this.#after(this.#current)
    return this.#next
  }

  /** Within a second; many who ask for it are served together. */
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
