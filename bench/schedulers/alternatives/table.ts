import { compareWithAll, type Row, type Section } from '../../report/report.ts'
import { ours } from './contenders.ts'
import type { Figures } from './run-driver.ts'

/** What a line of a table shows. */
export interface Line {
  readonly what: string
  readonly unit: string
  /** The name of the figure. */
  readonly figure: string
}

/** What every contender came to in every round, by its name. */
export type Results = Readonly<Record<string, readonly Figures[]>>

/** Ours beside all others. */
export function table(
  title: string,
  lines: readonly Line[],
  results: Results,
  notes: readonly string[],
): Section {
  const names = Object.keys(results)
  const rows = lines.map(({ figure, ...line }): Row => {
    const rounds = Object.fromEntries(
      Object.entries(results).map(([name, all]) => [name, numbersOf(all, figure)]),
    )
    return compareWithAll(line, rounds, ours.name)
  })
  return { title, names, subject: ours.name, rows, notes }
}

/** The rounds that have this figure. */
function numbersOf(all: readonly Figures[], figure: string): number[] {
  return all.map((figures) => figures[figure] ?? null).filter((value) => value !== null)
}
