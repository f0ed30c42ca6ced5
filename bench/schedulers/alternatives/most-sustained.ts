export interface Sustained extends Readonly<Record<string, number>> {
  readonly perSecond: number
  /** How many were asked for each second. */
  readonly jobs: number
}

/** Below this share of what was asked for, more would not help. */
const enough = 0.9

/** Asks for twice as much each time, until too little of it is done, and gives the best of all. */
export async function mostSustained(
  least: number,
  most: number,
  perSecondOf: (jobs: number) => Promise<number>,
): Promise<Sustained> {
  let best: Sustained = { perSecond: 0, jobs: least }
  for (let jobs = least; jobs <= most; jobs *= 2) {
    const perSecond = await perSecondOf(jobs)
    if (perSecond > best.perSecond) best = { perSecond, jobs }
    if (perSecond < jobs * enough) break
  }
  return best
}
