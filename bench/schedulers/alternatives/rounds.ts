import { progress } from '../../measure/progress.ts'
import { rotated } from '../../measure/statistics.ts'
import type { Contender } from './contenders.ts'
import type { Metrics } from './run-driver.ts'
import type { Results } from './table.ts'

/**
 * Measures everybody in so many rounds, one after the other and in an order that moves on: what disturbs
 * the machine for a while disturbs them alike.
 */
export async function inRounds(
  title: string,
  entrants: readonly Contender[],
  rounds: number,
  measure: (contender: Contender) => Promise<Metrics>,
): Promise<Results> {
  const results = new Map<string, Metrics[]>(entrants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const contender of rotated(entrants, round)) {
      progress(`${title}: ${contender.name}, round ${round + 1} of ${rounds}`)
      results.get(contender.name)?.push(await measure(contender))
    }
  }
  return Object.fromEntries(results)
}
