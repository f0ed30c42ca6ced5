/** A shorter queue is not compacted. */
const fewest = 1024

/** A queue with constant-time operations. */
export class Fifo<T> {
  #shards: (T | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#shards.length - this.#head
  }

  get first(): T | undefined {
    return this.#shards[this.#head]
  }

  push(shard: T): void {
    this.#shards.push(shard)
  }

  shift(): T | undefined {
    const shard = this.#shards[this.#head]
    if (this.length === 0) return undefined
    this.#shards[this.#head++] = undefined
    if (this.#head >= fewest && this.#head * 2 >= this.#shards.length) {
      this.#shards = this.#shards.slice(this.#head)
      this.#head = 0
    }
    return shard
  }
}
