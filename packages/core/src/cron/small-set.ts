/**
 * A set of integers from 0 to 63 in two 32-bit words. A process may hold tens of thousands of expressions with six such
 * sets each, and looks up the next member all the time.
 */
export class SmallSet {
  #low = 0
  #high = 0

  static readonly largest = 63

  add(value: number): void {
    if (value < 32) this.#low |= 1 << value
    else this.#high |= 1 << (value - 32)
  }

  has(value: number): boolean {
    return this.from(value) === value
  }

  /** The smallest member that is at least `value`, or -1 if there is none. */
  from(value: number): number {
    if (value < 32) {
      // A shift by 32 is a shift by 0 in JavaScript, so the words are handled separately.
      const low = (this.#low >>> value) << value
      return low === 0 ? smallestOf(this.#high, 32) : smallestOf(low, 0)
    }
    const high = (this.#high >>> (value - 32)) << (value - 32)
    return smallestOf(high, 32)
  }

  /** The smallest member, or -1 if the set is empty. */
  get first(): number {
    return this.from(0)
  }

  get isEmpty(): boolean {
    return (this.#low | this.#high) === 0
  }

  values(): number[] {
    const values: number[] = []
    for (let value = this.first; value !== -1;) {
      values.push(value)
      value = value === SmallSet.largest ? -1 : this.from(value + 1)
    }
    return values
  }
}

function smallestOf(word: number, base: number): number {
  return word === 0 ? -1 : base + 31 - Math.clz32(word & -word)
}
