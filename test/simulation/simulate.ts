/** One simulation from beginning to end. */
import { carryOut } from './deeds.ts'
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
  const history = await new World(scenario).run(carryOut)
  return { scenario, history, violations: violationsOf(history) }
}
