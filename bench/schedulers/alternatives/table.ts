import { compareWithAll, type Row, type Section } from '../../report/report.ts'
import { ours } from './contenders.ts'
import type { Metrics } from './run-driver.ts'

/** What a line of a table shows. */
export interface Line {
  readonly what: string
  readonly unit: string
  /** The name of the figure. */
  readonly metric: string
}

/** What every contender came to in every round, by its name. */
export type Results = Readonly<Record<string, readonly Metrics[]>>

/** Ours beside all others. */
export function table(
  title: string,
  lines: readonly Line[],
  results: Results,
  notes: readonly string[],
): Section {
  const names = Object.keys(results)
  const rows = lines.map(({ metric, ...line }): Row => {
    const rounds = Object.fromEntries(
      Object.entries(results).map(([name, all]) => [name, numbersOf(all, metric)]),
    )
    return compareWithAll(line, rounds, ours.name)
  })
  return { title, names, subject: ours.name, rows, notes }
}

/** The rounds that have this figure. */
function numbersOf(all: readonly Metrics[], metric: string): number[] {
  return all.map((metrics) => metrics[metric] ?? null).filter((value) => value !== null)
}
