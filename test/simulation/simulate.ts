/** One simulation from beginning to end. */
import { carryOut } from './actions.ts'
import type { History, Violation } from './history.ts'
import { violationsOf } from './invariants.ts'
import type { Scenario } from './scenario.ts'
import { World } from './world.ts'

export interface Result {
  readonly scenario: Scenario
  readonly history: History
  readonly violations: readonly Violation[]
}

export async function simulate(scenario: Scenario): Promise<Result> {
  let clean: History | undefined
  const isDone = (history: History): boolean => {
    if (violationsOf(history).length === 0) clean = history
    return clean !== undefined
  }
  const history = await new World(scenario).run(carryOut, isDone)
  return { scenario, history, violations: history === clean ? [] : violationsOf(history) }
}
