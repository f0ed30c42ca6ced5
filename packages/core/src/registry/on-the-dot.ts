import type { Clock } from '../clock.ts'

/** A timer of Node's is late by one of its milliseconds, and by one more where the machine slept. */
export const timerLateness = 2

/**
 * Calls back after the next poll, or when nothing is left of the time until then, which is `timerLateness` at
 * most, by looking after every poll. A clock that stands still between two looks is set by hand: only a timer can
 * tell its time.
 */
export function onTheDot(clock: Clock, timeLeft: () => number, callback: () => void): void {
  const since = clock.monotonic()
  clock.afterPoll(() => {
    const left = timeLeft()
    // More than there can be: the clock was set back, and nobody knows when it will be that time.
    if (left <= 0 || left > timerLateness) callback()
    else if (clock.monotonic() > since) onTheDot(clock, timeLeft, callback)
    else clock.setTimer(callback, Math.ceil(left))
  })
}
