import type { Clock } from '../clock.ts'

/** A request that all callers of the same instant share: it is sent once, and answered to all of them. */
export class SharedInInstant<T> {
  readonly #clock: Clock
  readonly #ask: () => Promise<T>
  #asked: Promise<T> | undefined

  constructor(clock: Clock, ask: () => Promise<T>) {
    this.#clock = clock
    this.#ask = ask
  }

  answer(): Promise<T> {
    if (this.#asked === undefined) {
      this.#asked = this.#ask()
      this.#clock.afterPoll(() => {
        this.#asked = undefined
      })
    }
    return this.#asked
  }
}
