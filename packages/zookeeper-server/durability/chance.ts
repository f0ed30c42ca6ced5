/** Chance that follows from a seed, so that a run can be had again (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 (included) to 1 (excluded). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 (included) to this one (excluded). */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  happens(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(elements: readonly T[]): T {
    return elements[this.below(elements.length)] as T
  }
}
