import { type Clock, systemClock } from '@elasticjob/zookeeper'

/** A clock that runs `speed` times as fast as the system clock, so that waits in vain are short. */
export function fastClock(speed: number): Clock {
  return {
    now: () => systemClock.now() * speed,
    monotonic: () => systemClock.monotonic() * speed,
    boot: () => systemClock.monotonic() * speed,
    setTimer: (callback, milliseconds) => systemClock.setTimer(callback, milliseconds / speed),
    afterPoll: (callback) => systemClock.afterPoll(callback),
  }
}
