import { uptime } from 'node:os'

/** Something that was scheduled and may be called off. */
export interface Timer {
  cancel(): void
}

/**
 * Time as everything in this package sees it. Injected, so that a whole cluster can run on a
 * simulated clock.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. May jump. */
  now(): number
  /** Milliseconds since some moment; never goes back, and stands still while the machine is suspended. */
  monotonic(): number
  /** Milliseconds since the machine started, its suspensions included. Coarser, and costs a system call. */
  boot(): number
  /** Calls back once, after at least so many milliseconds. */
  setTimer(callback: () => void, milliseconds: number): Timer
  /**
   * Calls back after the event loop has read what its sockets hold. After a long block an expired
   * timer runs before the sockets are read: what it would decide from silence has to wait for this.
   */
  afterPoll(callback: () => void): void
}

/** Node's own longest delay; beyond it a timer would fire at once. */
const longestDelay = 2 ** 31 - 1

/** The machine's own clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  boot: () => uptime() * 1000,
  setTimer(callback: () => void, milliseconds: number): Timer {
    const handle = setTimeout(callback, Math.min(Math.max(milliseconds, 0), longestDelay))
    return { cancel: () => clearTimeout(handle) }
  },
  afterPoll(callback: () => void): void {
    setImmediate(callback)
  },
})
