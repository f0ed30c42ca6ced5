import type { Clock } from '../clock.ts'

/** Resolves when the work is done or the limit, in milliseconds, has passed. */
export function within(clock: Clock, limit: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(resolve, limit)
    void work.then(() => {
      timer.cancel()
      resolve()
    })
  })
}
