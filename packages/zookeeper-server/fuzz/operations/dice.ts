import { SeededRandom } from '@elasticjob/zookeeper/testing'

/** Random choices for a fuzzer, repeatable from a seed. */
export class Dice extends SeededRandom {
  /** Up to `most` results of `make`. */
  several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }

  /** One of these, with a probability by its weight. */
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
