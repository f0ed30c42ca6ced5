import { type Clock, systemClock } from '@elasticjob/zookeeper'

/** The machine's clock, which a test can put forward: what depends on elapsed time need not wait. */
export interface ShiftedClock extends Clock {
  advance(milliseconds: number): void
  /** As if the machine had been suspended: the monotonic clock stands still. */
  suspend(milliseconds: number): void
}

export function shiftedClock(): ShiftedClock {
  let shift = 0
  let suspended = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + shift + suspended,
    monotonic: () => systemClock.monotonic() + shift,
    boot: () => systemClock.boot() + shift + suspended,
    advance: (milliseconds) => {
      shift += milliseconds
    },
    suspend: (milliseconds) => {
      suspended += milliseconds
    },
  }
}
