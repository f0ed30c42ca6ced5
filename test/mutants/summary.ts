/** What a run says in the end. */
import { checkers } from './checkers.ts'
import type { Mutant } from './mutant.ts'
import type { Verdict } from './verdicts.ts'

type Verdicts = ReadonlyMap<Mutant, Verdict>

/** Of all mutants, and of those of coordination by the plan checker or the simulation alone, in percent. */
const leastFound = 95
const leastByExploring = 50

/** A row for each concern: how many mutants the first checker that finds them found, and how many survived. */
export function summaryOf(verdicts: Verdicts): string {
  const all = [...verdicts].map(([mutant, verdict]) => ({ ...mutant, ...verdict }))
  const rowOf = (name: string, some: typeof all): string => {
    const found = checkers.map((checker) => some.filter(({ by }) => by[0] === checker).length)
    const survived = some.filter(({ by }) => by.length === 0).length
    const cells = [some.length, ...found, survived].map((count) => String(count).padStart(11))
    return `${name.padEnd(16)}${cells.join('')}`
  }
  const heads = ['mutants', ...checkers, 'survived'].map((head) => head.padStart(11)).join('')
  const concerns = [...new Set(all.map(({ concern }) => concern))]
  const seconds = all.reduce((sum, { seconds: some }) => sum + some, 0)
  const { found, explored } = percentOf(verdicts)
  const isCoordination = ({ kind }: Pick<Mutant, 'kind'>): boolean => kind === 'coordination'
  return [
    `\n${'by concern'.padEnd(16)}${heads}`,
    ...concerns.map((name) =>
      rowOf(
        name,
        all.filter(({ concern }) => concern === name),
      ),
    ),
    rowOf('all', all),
    rowOf('coordination', all.filter(isCoordination)),
    ...all
      .filter(({ by }) => by.length === 0)
      .map(({ file, name }) => `survived: ${file}: ${name}`),
    `${found} % of all mutants found, ${explored} % of those of coordination by plans or simulation; ` +
      `${Math.ceil(seconds / 60)} minutes of work`,
  ].join('\n')
}

export function isShort(verdicts: Verdicts): boolean {
  const { found, explored } = percentOf(verdicts)
  return found < leastFound || explored < leastByExploring
}

function percentOf(verdicts: Verdicts): { found: number; explored: number } {
  const all = [...verdicts]
  const coordination = all.filter(([{ kind }]) => kind === 'coordination')
  return {
    found: percent(all, ({ by }) => by.length > 0),
    explored: percent(coordination, ({ by }) => by.some((checker) => checker !== 'unit')),
  }
}

function percent(
  all: readonly (readonly [Mutant, Verdict])[],
  is: (one: Verdict) => boolean,
): number {
  const count = all.filter(([, verdict]) => is(verdict)).length
  return all.length === 0 ? 100 : Math.floor((count / all.length) * 100)
}
