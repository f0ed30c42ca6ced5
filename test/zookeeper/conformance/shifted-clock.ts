import { type Clock, systemClock } from '@elasticjob/zookeeper'

/** The machine's clock, which a test can put forward: what depends on elapsed time need not wait. */
export interface ShiftedClock extends Clock {
  advance(milliseconds: number): void
}

export function shiftedClock(): ShiftedClock {
  let shift = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + shift,
    monotonic: () => systemClock.monotonic() + shift,
    boot: () => systemClock.boot() + shift,
    advance: (milliseconds) => {
      shift += milliseconds
    },
  }
}
