/**
 * A set of whole numbers from 0 to 63, in two words of 32 bits. A process may hold tens of thousands
 * of expressions with six such sets each, and asks them for the next member all the time.
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

  /** The smallest member that is not below a value, or -1 where there is none. */
  from(value: number): number {
    if (value < 32) {
      // A shift by 32 would be one by none, which is why the words are looked at separately.
      const low = (this.#low >>> value) << value
      return low === 0 ? smallestOf(this.#high, 32) : smallestOf(low, 0)
    }
    const high = (this.#high >>> (value - 32)) << (value - 32)
    return smallestOf(high, 32)
  }

  /** The smallest member, or -1 where there is none. */
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
