import type { Clock } from '../clock.ts'

/** A timer of Node fires up to one millisecond late, and up to one more if the machine was asleep. */
export const timerLateness = 2
/** How far ahead of a fire time its runs may be prepared, in milliseconds. */
export const longestLead = 100

/**
 * Waits for an exact time in the near future. A timer would be late, so it polls the clock after every event loop poll
 * in the last milliseconds. All callers that wait for the same time continue in the same instant.
 */
export class PreciseTimer {
  readonly #clock: Clock
  readonly #now: () => number
  readonly #reached = new Map<number, Promise<void>>()

  /** `now`: the clock of the awaited times, which need not be `clock`. */
  constructor(clock: Clock, now: () => number) {
    this.#clock = clock
    this.#now = now
  }

  /** Resolves at that time, which is at most `longestLead` ahead; at the earliest after the next poll. */
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
    // One closure for all polls: there are a thousand of them before every fire time.
    const look = (): void => {
      const left = time - this.#now()
      const monotonic = this.#clock.monotonic()
      // More than `longestLead` is left: the clock was set back, and it is unknown when that time comes.
      if (left <= 0 || left > longestLead) callback()
      else if (left > timerLateness) {
        this.#clock.setTimer(() => this.#wait(time, callback), Math.ceil(left - timerLateness))
      } else if (monotonic > since) {
        since = monotonic
        this.#clock.afterPoll(look)
      }
      // A clock that stands still between two polls is simulated: only a timer advances it.
      else this.#clock.setTimer(callback, Math.ceil(left))
    }
    this.#clock.afterPoll(look)
  }
}
