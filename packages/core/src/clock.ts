import { uptime } from 'node:os'

/** A scheduled callback that can be cancelled. */
export interface Timer {
  cancel(): void
}

/**
 * The source of time. Injected, so that a whole cluster can run on a simulated clock. Registries take it in this
 * shape.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. May jump. */
  now(): number
  /** Milliseconds since an arbitrary moment. Never goes back, and stops while the machine is suspended. */
  monotonic(): number
  /** Milliseconds since the machine started, including suspensions. Coarser, and costs a system call. */
  boot(): number
  /** Calls back once, after at least this many milliseconds. */
  setTimer(callback: () => void, milliseconds: number): Timer
  /**
   * Calls back after the event loop has read its sockets. After a long block an expired timer runs before the
   * sockets are read, so a decision based on silence must wait for this callback.
   */
  afterPoll(callback: () => void): void
}

/** Node's longest timer delay; a longer one fires at once. */
const longestDelay = 2 ** 31 - 1

/** The clock of the process. */
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
