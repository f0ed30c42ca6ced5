import type { Clock } from '../clock.ts'

/** Until the work is done or the time, in milliseconds, is over. */
export function within(clock: Clock, limit: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(resolve, limit)
    void work.then(() => {
      timer.cancel()
      resolve()
    })
  })
}
