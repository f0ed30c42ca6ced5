/** What many simulations come to. */
import { type Coverage, sumOfCoverage, tableOf } from './coverage.ts'
import type { Result } from './simulate.ts'

/** What one or more of them come to, as plain data: processes tell it each other. */
export interface Tally {
  readonly seeds: number
  readonly failed: number
  /** Those with instances of Java's. */
  readonly mixed: number
  /** Simulated time, in milliseconds. */
  readonly simulated: number
  /** What it took of a core, in milliseconds. */
  readonly cpu: number
  readonly runs: number
  readonly javaRuns: number
  readonly failovers: number
  readonly transactions: number
  readonly faults: Readonly<Record<string, number>>
  readonly coverage: Coverage
}

export const noTally: Tally = Object.freeze({
  seeds: 0,
  failed: 0,
  mixed: 0,
  simulated: 0,
  cpu: 0,
  runs: 0,
  javaRuns: 0,
  failovers: 0,
  transactions: 0,
  faults: {},
  coverage: {},
})

export function tallyOf({ scenario, history, violations }: Result, cpu: number): Tally {
  const faults: Record<string, number> = {}
  for (const { kind } of scenario.events) faults[kind] = (faults[kind] ?? 0) + 1
  return {
    seeds: 1,
    failed: violations.length > 0 ? 1 : 0,
    mixed: scenario.java > 0 ? 1 : 0,
    simulated: history.end,
    cpu,
    runs: history.runs.length,
    javaRuns: history.javaRuns.length,
    failovers: history.runs.filter(({ attempt }) => attempt > 1).length,
    transactions: history.transactions.length,
    faults,
    coverage: history.coverage,
  }
}

export function sumOf(one: Tally, other: Tally): Tally {
  const faults: Record<string, number> = { ...one.faults }
  for (const [kind, count] of Object.entries(other.faults)) {
    faults[kind] = (faults[kind] ?? 0) + count
  }
  return {
    seeds: one.seeds + other.seeds,
    failed: one.failed + other.failed,
    mixed: one.mixed + other.mixed,
    simulated: one.simulated + other.simulated,
    cpu: one.cpu + other.cpu,
    runs: one.runs + other.runs,
    javaRuns: one.javaRuns + other.javaRuns,
    failovers: one.failovers + other.failovers,
    transactions: one.transactions + other.transactions,
    faults,
    coverage: sumOfCoverage(one.coverage, other.coverage),
  }
}

/** `elapsed`: real time, in milliseconds. */
export function describe(tally: Tally, elapsed: number): string {
  const seconds = elapsed / 1000
  const minutes = tally.simulated / 60_000
  const faults = Object.entries(tally.faults).toSorted((a, b) => b[1] - a[1])
  const all = faults.reduce((sum, [, count]) => sum + count, 0)
  return [
    `${tally.seeds} seeds, ${tally.mixed} of them with Java; ${tally.failed} with a violation`,
    `${(minutes / 60).toFixed(1)} simulated hours in ${seconds.toFixed(0)} s: ${(tally.seeds / seconds).toFixed(2)} seeds a second; ` +
      `${(minutes / (tally.cpu / 1000)).toFixed(0)} simulated cluster-minutes a second of a core`,
    `${tally.runs} runs, ${tally.failovers} of them failovers; ${tally.javaRuns} runs of Java's; ${tally.transactions} transactions`,
    `${all} faults: ${faults.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    tableOf(tally.coverage),
  ].join('\n')
}

/** One line for who waits. */
export function progressOf(tally: Tally, seeds: number, elapsed: number): string {
  const rate = tally.seeds / (elapsed / 1000)
  const left = (seeds - tally.seeds) / rate / 60
  return `${tally.seeds} of ${seeds} seeds, ${tally.failed} with a violation; ${rate.toFixed(2)} a second, ${left.toFixed(0)} minutes to go`
}
