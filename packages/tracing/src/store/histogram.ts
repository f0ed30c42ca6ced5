/**
 * Durations in classes that grow by 2 %: few enough to be counted in the database, narrow enough that the
 * middle of a class is within 1 % of all its values. Up to 50 ms each duration has its own class.
 */
import type { Percentiles } from './queries.ts'

const growth = Math.log(1.02)

/** The class of a duration in milliseconds; 0 is the class of 0 ms. */
export function classOf(milliseconds: number): number {
  return milliseconds < 1 ? 0 : 1 + Math.round(Math.log(milliseconds) / growth)
}

/** The duration in milliseconds that represents a class. */
export function lengthOf(spanClass: number): number {
  return spanClass === 0 ? 0 : Math.round(Math.exp((spanClass - 1) * growth))
}

/** The number of values of each class. */
export class Histogram {
  readonly #counts = new Map<number, number>()
  #total = 0

  add(spanClass: number, count: number): void {
    this.#counts.set(spanClass, (this.#counts.get(spanClass) ?? 0) + count)
    this.#total += count
  }

  merge(other: Histogram): void {
    for (const [spanClass, count] of other.#counts) this.add(spanClass, count)
  }

  percentiles(): Percentiles {
    const classes = [...this.#counts].toSorted(([one], [other]) => one - other)
    const at = (share: number): number | undefined => {
      const rank = Math.ceil(share * this.#total)
      let seen = 0
      for (const [spanClass, count] of classes) {
        seen += count
        if (seen >= rank) return lengthOf(spanClass)
      }
      return undefined
    }
    return { count: this.#total, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
  }
}
