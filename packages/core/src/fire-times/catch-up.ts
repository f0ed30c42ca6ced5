/** What passed while nobody could run: gone, made up for once, or each of it. */
import type { CatchUp } from '../config/run-limits.ts'
import type { FireTimes } from './due.ts'

export const noCatchUp: CatchUp = Object.freeze({ policy: 'skip', limit: 0 })

/** The time to be made up for next, of those in (after, now]; undefined for none. */
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
