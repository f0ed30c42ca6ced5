export interface Sustained extends Readonly<Record<string, number>> {
  readonly perSecond: number
  /** How many were asked for each second. */
  readonly jobs: number
}

/** Below this share of what was asked for, more would not help. */
const enough = 0.9

/**
 * Asks for twice as much each time, until too little of it is done; then for the middle between that and what was
 * done before, because who is asked for too much may do less than it can. Gives the best of all.
 */
export async function mostSustained(
  least: number,
  most: number,
  perSecondOf: (jobs: number) => Promise<number>,
): Promise<Sustained> {
  let best: Sustained = { perSecond: 0, jobs: least }
  const keepsUp = async (jobs: number): Promise<boolean> => {
    const perSecond = await perSecondOf(jobs)
    if (perSecond > best.perSecond) best = { perSecond, jobs }
    return perSecond >= jobs * enough
  }
  let jobs = least
  while (jobs <= most && (await keepsUp(jobs))) jobs *= 2
  if (jobs > least && jobs <= most) await keepsUp(jobs * 0.75)
  return best
}
