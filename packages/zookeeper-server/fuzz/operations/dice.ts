import { SeededRandom } from '@elasticjob/zookeeper/testing'

/** Chance that repeats itself from its seed, with the throws that a fuzzer needs. */
export class Dice extends SeededRandom {
  /** Up to `most` times what `make` makes. */
  several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }

  /** One of these, each as likely as its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0)
    let left = this.fraction() * total
    for (const [weight, choice] of choices) {
      left -= weight
      if (left < 0) return choice
    }
    return (choices.at(-1) as readonly [number, T])[1]
  }
}
