import type { FireTimes } from '../../src/fire-times/due.ts'

/** A job that fires at every full multiple of a period. */
export function every(period: number): FireTimes {
  return {
    nextAfter: (time) => (Math.floor(time / period) + 1) * period,
    latestAtOrBefore: (time, notBefore) => {
      const latest = Math.floor(time / period) * period
      return latest > notBefore ? latest : undefined
    },
  }
}
