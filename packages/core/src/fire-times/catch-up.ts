/** Fire times that passed while no instance could run them: skipped, made up for by one run, or by one run each. */
import type { CatchUp } from '../config/run-limits.ts'
import type { FireTimes } from './due.ts'

export const noCatchUp: CatchUp = Object.freeze({ policy: 'skip', limit: 0 })

/** The next fire time in (after, now] to make up for; undefined if there is none. */
export function timeToCatchUp(
  { policy, limit }: CatchUp,
  fires: FireTimes,
  after: number,
  now: number,
): number | undefined {
  if (policy === 'skip') return undefined
  if (policy === 'once') return fires.latestAtOrBefore(now, after)
  let oldest: number | undefined
  for (let count = 0; count < limit; count++) {
    const earlier = fires.latestAtOrBefore((oldest ?? now + 1) - 1, after)
    if (earlier === undefined) break
    oldest = earlier
  }
  return oldest
}
