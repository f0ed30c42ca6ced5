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
  /** Why it runs; `stray`: a Java leader has just given the item away, and does not know it yet. */
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

/** Runs of scheduled times that the item had begun already. */
export function runTwice(runs: readonly Run[]): readonly Run[] {
  const begun = new Set<string>()
  return runs.filter(({ item, fire, source }) => {
    if (source !== 'cron' && source !== 'misfire') return false
    const key = `${item} ${fire}`
    const isAgain = begun.has(key)
    begun.add(key)
    return isAgain
  })
}

/** The same, in words. */
export function repeatedIn(runs: readonly Run[]): readonly string[] {
  return runTwice(runs).map(({ item, fire, peer }) => `${wordsOf(item, fire)} by ${peer}`)
}

/** The schedule of a job that says nothing else. */
export const everyFour = Object.freeze({ period: 4000, items: 4 })

/** Scheduled times after the first run and before the last one that an item has not run. */
export function missingIn(
  runs: readonly Run[],
  { period, items }: { readonly period: number; readonly items: number },
): readonly string[] {
  const scheduled = runs.filter(({ source }) => source === 'cron' || source === 'misfire')
  const fires = scheduled.map(({ fire }) => fire)
  const begun = new Set(scheduled.map(({ item, fire }) => `${item} ${fire}`))
  const missing: string[] = []
  for (let fire = Math.min(...fires) + period; fire < Math.max(...fires); fire += period) {
    for (let item = 0; item < items; item++) {
      if (!begun.has(`${item} ${fire}`)) {
        missing.push(wordsOf(item, fire))
      }
    }
  }
  return missing
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

function wordsOf(item: number, fire: number): string {
  return `item ${item} at ${new Date(fire).toISOString()}`
}
