interface Entry {
  deadline: number
}

/**
 * Elements that expire unless they are touched, grouped in buckets of one tick: a touch within the same
 * bucket costs nothing, and expiry is up to a tick late, never early.
 */
export class ExpiryQueue<T> {
  readonly #interval: number
  readonly #entries = new Map<T, Entry>()
  readonly #buckets = new Map<number, Set<T>>()

  constructor(interval: number) {
    this.#interval = interval
  }

  get size(): number {
    return this.#entries.size
  }

  /** The buckets by expiry time, unordered. */
  get buckets(): ReadonlyMap<number, ReadonlySet<T>> {
    return this.#buckets
  }

  /** Lets the element expire `timeout` milliseconds after `now`. */
  touch(element: T, now: number, timeout: number): void {
    const deadline = (Math.floor((now + timeout) / this.#interval) + 1) * this.#interval
    const entry = this.#entries.get(element)
    if (entry === undefined) {
      this.#entries.set(element, { deadline })
    } else {
      if (entry.deadline === deadline) return
      this.#removeFromBucket(element, entry.deadline)
      entry.deadline = deadline
    }
    const bucket = this.#buckets.get(deadline)
    if (bucket === undefined) this.#buckets.set(deadline, new Set([element]))
    else bucket.add(element)
  }

  remove(element: T): void {
    const entry = this.#entries.get(element)
    if (entry === undefined) return
    this.#entries.delete(element)
    this.#removeFromBucket(element, entry.deadline)
  }

  deadlineOf(element: T): number | undefined {
    return this.#entries.get(element)?.deadline
  }

  /** Removes and returns all expired elements, earliest first. */
  takeExpired(now: number): T[] {
    const ended = [...this.#buckets.keys()].filter((deadline) => deadline <= now)
    return ended
      .toSorted((a, b) => a - b)
      .flatMap((deadline) => {
        const elements = [...(this.#buckets.get(deadline) ?? [])]
        for (const element of elements) this.remove(element)
        return elements
      })
  }

  #removeFromBucket(element: T, deadline: number): void {
    const bucket = this.#buckets.get(deadline)
    bucket?.delete(element)
    if (bucket?.size === 0) this.#buckets.delete(deadline)
  }
}
