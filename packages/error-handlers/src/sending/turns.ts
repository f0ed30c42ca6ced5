import type { Clock, Timer } from '@elasticjob/zookeeper'

/** Something that waits to send. */
export interface Waiting {
  readonly clock: Clock
  /** Settles when it has sent, or failed to; never rejects. */
  send(): Promise<void>
  /** There will be no turn for it. */
  refuse(reason: string): void
}

const minute = 60_000
/** How many messages are on their way at once: a server that hangs keeps only some of them waiting. */
const mostAtOnce = 4

/** Who may send when: not too many messages a minute, however many jobs fail. */
export class Turns {
  readonly #mostAMinute: number
  readonly #waiting: Waiting[] = []
  /** When the messages of the last minute were begun. */
  readonly #begun: number[] = []
  #underWay = 0
  #timer: Timer | undefined
  #isHurried = false

  constructor(mostAMinute: number) {
    this.#mostAMinute = mostAMinute
  }

  take(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#timer === undefined) this.#next()
  }

  /** Until told otherwise, whoever would have to wait for another minute is refused. */
  hurry(isHurried: boolean): void {
    this.#isHurried = isHurried
    this.#timer?.cancel()
    this.#timer = undefined
    this.#next()
  }

  refuseAll(reason: string): void {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(reason)
  }

  #next(): void {
    while (this.#underWay < mostAtOnce) {
      const [first] = this.#waiting
      if (first === undefined) return
      const now = first.clock.monotonic()
      const pause = this.#pauseFrom(now)
      if (pause > 0 && this.#isHurried) {
        this.refuseAll(`there were ${this.#mostAMinute} messages within a minute`)
      } else if (pause > 0) {
        this.#timer = first.clock.setTimer(() => {
          this.#timer = undefined
          this.#next()
        }, pause)
        return
      } else {
        this.#waiting.shift()
        this.#begin(first, now)
      }
    }
  }

  #begin(first: Waiting, now: number): void {
    this.#begun.push(now)
    this.#underWay += 1
    void first.send().finally(() => {
      this.#underWay -= 1
      if (this.#timer === undefined) this.#next()
    })
  }

  /** How long it takes until the next message may begin. */
  #pauseFrom(now: number): number {
    while (this.#begun[0] !== undefined && this.#begun[0] <= now - minute) this.#begun.shift()
    const [oldest] = this.#begun
    return oldest === undefined || this.#begun.length < this.#mostAMinute
      ? 0
      : oldest + minute - now
  }
}
