import type { Clock } from '../clock.ts'

/** A timer of Node's is late by one of its milliseconds, and by one more where the machine slept. */
export const timerLateness = 2
/** How far ahead of a fire time, in milliseconds, everything may be prepared for it at most. */
export const longestLead = 100

/**
 * Waits for an exact time that is a moment ahead: the last milliseconds by a look at the clock after every poll, for a
 * timer would be late. All callers that wait for one time go on in the same instant.
 */
export class PreciseTimer {
  readonly #clock: Clock
  readonly #now: () => number
  readonly #reached = new Map<number, Promise<void>>()

  /** `now`: the time that is waited for, which need not be the clock's own. */
  constructor(clock: Clock, now: () => number) {
    this.#clock = clock
    this.#now = now
  }

  /** Resolves after the next poll, or when it is that time, which is `longestLead` ahead at most. */
  reach(time: number): Promise<void> {
    const asked = this.#reached.get(time)
    if (asked !== undefined) return asked
    const reached = new Promise<void>((resolve) => {
      this.#wait(time, () => {
        this.#reached.delete(time)
        resolve()
      })
    })
    this.#reached.set(time, reached)
    return reached
  }

  #wait(time: number, callback: () => void): void {
    let since = this.#clock.monotonic()
    // One for all looks: there are a thousand of them before every time.
    const look = (): void => {
      const left = time - this.#now()
      const monotonic = this.#clock.monotonic()
      // More than there can be: the clock was set back, and when that time comes is unknown.
      if (left <= 0 || left > longestLead) callback()
      else if (left > timerLateness) {
        this.#clock.setTimer(() => this.#wait(time, callback), Math.ceil(left - timerLateness))
      } else if (monotonic > since) {
        since = monotonic
        this.#clock.afterPoll(look)
      }
      // A clock that stands still between two looks is set by hand: only a timer can tell its time.
      else this.#clock.setTimer(callback, Math.ceil(left))
    }
    this.#clock.afterPoll(look)
  }
}
