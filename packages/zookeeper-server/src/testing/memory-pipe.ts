import type { Clock, Timer } from '@elasticjob/zookeeper'

interface Item<T> {
  readonly value: T
  readonly due: number
}

/** One direction of a stream: delivers in order, with latency. */
export class MemoryPipe<T> {
  readonly #clock: Clock
  readonly #latency: () => number
  readonly #deliver: (value: T) => void
  #items: Item<T>[] = []
  #timer: Timer | undefined
  #isHeld = false

  constructor(clock: Clock, latency: () => number, deliver: (value: T) => void) {
    this.#clock = clock
    this.#latency = latency
    this.#deliver = deliver
  }

  push(value: T): void {
    const last = this.#items.at(-1)
    const due = Math.max(this.#clock.monotonic() + this.#latency(), last?.due ?? 0)
    this.#items.push({ value, due })
    this.#schedule()
  }

  /** Nothing is delivered while it is held. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (isHeld) this.#stopTimer()
    else this.#schedule()
  }

  /** Drops everything under way. */
  clear(): void {
    this.#items = []
    this.#stopTimer()
  }

  #schedule(): void {
    const [next] = this.#items
    if (next === undefined || this.#isHeld || this.#timer !== undefined) return
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = undefined
      const item = this.#items.shift()
      if (item !== undefined) this.#deliver(item.value)
      this.#schedule()
    }, next.due - this.#clock.monotonic())
  }

  #stopTimer(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
