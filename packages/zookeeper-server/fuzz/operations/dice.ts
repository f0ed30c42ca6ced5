import { seededRandom } from '../../test/testing/seeded-random.ts'

/** Chance that repeats itself from its seed. */
export class Dice {
  readonly #fraction: () => number

  constructor(seed: number) {
    const random = seededRandom(seed)
    this.#fraction = () => random.fraction()
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.#fraction() * limit)
  }

  chance(probability: number): boolean {
    return this.#fraction() < probability
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T
  }

  /** Up to `most` times what `make` makes. */
  several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }

  /** One of these, each as likely as its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0)
    let left = this.#fraction() * total
    for (const [weight, choice] of choices) {
      left -= weight
      if (left < 0) return choice
    }
    return (choices.at(-1) as readonly [number, T])[1]
  }
}
