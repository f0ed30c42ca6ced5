import type { Clock, Timer } from '@elasticjob/core'

/** A sender that waits for the rate limiter. */
export interface Waiting {
  readonly clock: Clock
  /** Settles when it has sent, or failed to; never rejects. */
  send(): Promise<void>
  /** The rate limiter will not let it send. */
  refuse(reason: string): void
}

const minute = 60_000
/** The maximum number of concurrent sends, so that a hanging server blocks only some of them. */
const mostAtOnce = 4

/** A rate limiter: limits messages per minute, however many jobs fail. */
export class RateLimiter {
  readonly #mostAMinute: number
  readonly #waiting: Waiting[] = []
  /** When the messages of the last minute were started. */
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

  /** While hurried, refuses every sender that would have to wait for another minute. */
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
        this.refuseAll(
          `the rate limit of ${this.#mostAMinute} messages per minute (messagesPerMinute) is reached`,
        )
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

  /** The time until the next message may start. */
  #pauseFrom(now: number): number {
    while (this.#begun[0] !== undefined && this.#begun[0] <= now - minute) this.#begun.shift()
    const [oldest] = this.#begun
    return oldest === undefined || this.#begun.length < this.#mostAMinute
      ? 0
      : oldest + minute - now
  }
}
