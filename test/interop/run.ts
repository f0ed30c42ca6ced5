/** What instances of both kinds write down. */

/** Java's, or this package's. */
export type Kind = 'java' | 'ours'

/** One run of one shard. */
export interface Run {
  readonly run: string
  readonly job: string
  readonly shard: number
  /** The id of the instance in the registry. */
  readonly instance: string
  /** The scheduled time; for what was triggered, when. In milliseconds. */
  readonly fire: number
  /**
   * Why it runs. `stray`: a Java instance asked its copy of the registry who owns the shard, and the copy was older
   * than what the Java leader had written before.
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

/** Which shards ran, in their order. */
export function shardsOf(runs: readonly Run[]): readonly number[] {
  return runs.map(({ shard }) => shard).toSorted((a, b) => a - b)
}

/**
 * Runs of scheduled times that the shard had begun already. Where Java makes up for a missed time it runs all that it
 * owns, whatever it had missed: that is no run of a scheduled time.
 */
export function repeatedIn(runs: readonly Run[]): readonly string[] {
  const begun = new Set<string>()
  const repeated = runs.filter(({ shard, fire, source, kind }) => {
    if (source !== 'cron' && !(source === 'misfire' && kind === 'ours')) return false
    const key = `${shard} ${fire}`
    const isAgain = begun.has(key)
    begun.add(key)
    return isAgain
  })
  return repeated.map(({ shard, fire, peer }) => `${textOf({ shard, fire })} by ${peer}`)
}

/** A scheduled time of a shard. */
export type Due = Pick<Run, 'shard' | 'fire'>

export interface Schedule {
  readonly period: number
  readonly shards: number
}

/** The schedule of a job that says nothing else. */
export const everyFour: Schedule = Object.freeze({ period: 4000, shards: 4 })

/**
 * Scheduled times after the first run and before the last one that a shard has not run, and that were not made up for.
 * Those that pass while ours are busy with an earlier one become one run, for the latest.
 */
export function missingIn(runs: readonly Run[], { period, shards }: Schedule): readonly Due[] {
  const scheduled = runs
    .filter(({ source }) => source === 'cron' || source === 'misfire')
    .toSorted((one, other) => one.fire - other.fire)
  const fires = scheduled.map(({ fire }) => fire)
  const missing: Due[] = []
  for (let fire = Math.min(...fires) + period; fire < Math.max(...fires); fire += period) {
    for (let shard = 0; shard < shards; shard++) {
      const own = scheduled.filter((run) => run.shard === shard)
      if (!own.some((run) => run.fire === fire) && !isMadeUpFor(own, fire)) {
        missing.push({ shard, fire })
      }
    }
  }
  return missing
}

/** Whether ours were at an earlier time of the shard still, and the next one made up for all. */
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

/** The shards that ran at each scheduled time, and where. */
export function byFire(runs: readonly Run[]): ReadonlyMap<number, readonly Run[]> {
  const fires = new Map<number, Run[]>()
  for (const run of runs) {
    const together = fires.get(run.fire)
    if (together === undefined) fires.set(run.fire, [run])
    else together.push(run)
  }
  return fires
}

export function textOf({ shard, fire }: Due): string {
  return `shard ${shard} at ${new Date(fire).toISOString()}`
}
