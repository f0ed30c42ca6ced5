/** Limits how many bodies of one job run at once. The other claimed runs wait in the order of their arrival. */
export class Semaphore {
  #limit: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A larger limit takes effect at once, a smaller one as runs end. */
  resize(limit: number): void {
    this.#limit = limit
    this.#admit()
  }

  /** Takes a free slot; returns whether there was one. */
  tryTake(): boolean {
    if (this.#taken >= this.#limit) return false
    this.#taken += 1
    return true
  }

  /** Takes the next slot that becomes free. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  free(): void {
    this.#taken -= 1
    this.#admit()
  }

  #admit(): void {
    while (this.#taken < this.#limit) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#taken += 1
      next()
    }
  }
}
