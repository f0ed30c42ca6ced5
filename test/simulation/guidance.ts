/**
 * Which situation a fault should wait for: one that it has rarely met so far. What it has met is a committed table, so that
 * a seed gives the same scenario everywhere; `npm run simulate -- --learn` makes the table anew.
 */
import type { Coverage } from './coverage.ts'
import { coverageKey } from './coverage.ts'
import { coverageLevels } from './coverage-levels.ts'
import { leaderPhases, shardStates, type Situation } from './situation.ts'

/** All of them, in the order of the table. */
export const situations: readonly Situation[] = shardStates.flatMap((shard) =>
  leaderPhases.map((leader) => ({ shard, leader })),
)
const highest = 9

/** How often a fault met each situation, one digit for each: the logarithm, at most 9. */
export function levelsOf(coverage: Coverage, kind: string): string {
  return situations
    .map((one) => Math.log2((coverage[coverageKey(kind, one)] ?? 0) + 1))
    .map((level) => Math.min(highest, Math.floor(level)))
    .join('')
}

/** `chance`: from 0 to below 1. */
export function rareSituation(
  kind: string,
  chance: number,
  levels: Readonly<Record<string, string>> = coverageLevels,
): Situation {
  const digits = levels[kind] ?? ''
  const weights = situations.map((_, index) => weightOf(Number(digits[index] ?? 0)))
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => (left -= weight) < 0)
  return situations[index] as Situation
}

/** The rarer the heavier; but what was never met may be impossible, and who waits for it does nothing. */
function weightOf(level: number): number {
  return level === 0 ? 2 : highest + 1 - level
}

/** The module that holds the table. */
export function tableModule(coverage: Coverage, kinds: readonly string[]): string {
  const rows = kinds.toSorted().map((kind) => {
    const key = /^\w+$/.test(kind) ? kind : `'${kind}'`
    return `  ${key}: '${levelsOf(coverage, kind)}',\n`
  })
  return `/** How often each fault met each situation, as a logarithm: made by \`npm run simulate -- --learn\`, see guidance.ts. */
export const coverageLevels: Readonly<Record<string, string>> = {
${rows.join('')}}
`
}
