/** What instances of both kinds write down. */

/** Java's, or this package's. */
export type Kind = 'java' | 'ours'

/** One run of one item. */
export interface Run {
  readonly run: string
  readonly job: string
  readonly item: number
  /** The id of the instance in the registry. */
  readonly instance: string
  /** The scheduled time; for what was triggered, when. In milliseconds. */
  readonly fire: number
  /**
   * Why it runs. `stray`: a Java instance asked its copy of the registry who owns the item, and the copy was
   * older than what the Java leader had written before.
   */
  readonly source: string
  readonly parameter: string
  readonly peer: string
  readonly kind: Kind
  readonly begin: number
  readonly end: number | undefined
  readonly outcome: string | undefined
}

/** A listener of a whole round was called, on one of the instances. */
export interface RoundCall {
  readonly job: string
  readonly phase: string
  readonly at: number
  readonly kind: Kind
}

/** Which items ran, in their order. */
export function itemsOf(runs: readonly Run[]): readonly number[] {
  return runs.map(({ item }) => item).toSorted((a, b) => a - b)
}

/**
 * Runs of scheduled times that the item had begun already. Where Java makes up for a missed time it runs all
 * that it owns, whatever it had missed: that is no run of a scheduled time.
 */
export function repeatedIn(runs: readonly Run[]): readonly string[] {
  const begun = new Set<string>()
  const repeated = runs.filter(({ item, fire, source, kind }) => {
    if (source !== 'cron' && !(source === 'misfire' && kind === 'ours')) return false
    const key = `${item} ${fire}`
    const isAgain = begun.has(key)
    begun.add(key)
    return isAgain
  })
  return repeated.map(({ item, fire, peer }) => `${wordsOf({ item, fire })} by ${peer}`)
}

/** A scheduled time of an item. */
export type Due = Pick<Run, 'item' | 'fire'>

export interface Schedule {
  readonly period: number
  readonly items: number
}

/** The schedule of a job that says nothing else. */
export const everyFour: Schedule = Object.freeze({ period: 4000, items: 4 })

/**
 * Scheduled times after the first run and before the last one that an item has not run, and that were not made up
 * for. Those that pass while ours are busy with an earlier one become one run, for the latest.
 */
export function missingIn(runs: readonly Run[], { period, items }: Schedule): readonly Due[] {
  const scheduled = runs
    .filter(({ source }) => source === 'cron' || source === 'misfire')
    .toSorted((one, other) => one.fire - other.fire)
  const fires = scheduled.map(({ fire }) => fire)
  const missing: Due[] = []
  for (let fire = Math.min(...fires) + period; fire < Math.max(...fires); fire += period) {
    for (let item = 0; item < items; item++) {
      const own = scheduled.filter((run) => run.item === item)
      if (!own.some((run) => run.fire === fire) && !isMadeUpFor(own, fire)) {
        missing.push({ item, fire })
      }
    }
  }
  return missing
}

/** Whether ours were at an earlier time of the item still, and the next one made up for all. */
function isMadeUpFor(runs: readonly Run[], time: number): boolean {
  const before = runs.findLast(({ fire }) => fire < time)
  const after = runs.find(({ fire }) => fire > time)
  return (
    before?.kind === 'ours' &&
    (before.end ?? Infinity) > time &&
    after?.kind === 'ours' &&
    after.source === 'misfire'
  )
}

/** The items that ran at each scheduled time, and where. */
export function byFire(runs: readonly Run[]): ReadonlyMap<number, readonly Run[]> {
  const fires = new Map<number, Run[]>()
  for (const run of runs) {
    const together = fires.get(run.fire)
    if (together === undefined) fires.set(run.fire, [run])
    else together.push(run)
  }
  return fires
}

export function wordsOf({ item, fire }: Due): string {
  return `item ${item} at ${new Date(fire).toISOString()}`
}
