import type { Clock } from '@elasticjob/core'

/** Resolves after this many milliseconds, or at once when the signal aborts. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve()
      return
    }
    const end = (): void => {
      timer.cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = clock.setTimer(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}
