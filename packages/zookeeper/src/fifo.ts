/** A queue with constant-time operations on both ends; an array's `shift()` moves all other elements. */
export class Fifo<T> {
  #elements: (T | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#elements.length - this.#head
  }

  push(element: T): void {
    this.#elements.push(element)
  }

  peek(): T | undefined {
    return this.#elements[this.#head]
  }

  shift(): T | undefined {
    const element = this.#elements[this.#head]
    if (element === undefined) return undefined
    this.#elements[this.#head++] = undefined
    if (this.#head === this.#elements.length) {
      this.#elements = []
      this.#head = 0
    } else if (this.#head >= 4096 && this.#head * 2 > this.#elements.length) {
      this.#elements = this.#elements.slice(this.#head)
      this.#head = 0
    }
    return element
  }

  /** Removes and returns all elements, in order. */
  drain(): T[] {
    const drained = this.#elements.slice(this.#head) as T[]
    this.#elements = []
    this.#head = 0
    return drained
  }

  *[Symbol.iterator](): Generator<T> {
    for (let i = this.#head; i < this.#elements.length; i++) yield this.#elements[i] as T
  }
}
