/** From a scenario that fails to a smaller one that fails in the same way. */
import type { Scenario } from './scenario.ts'
import { type Result, simulate } from './simulate.ts'

export async function shrink(failing: Result, timeout: number): Promise<Result> {
  const rules = new Set(failing.violations.map(({ rule }) => rule))
  let best = failing
  let left = timeout
  const attempt = async (scenario: Scenario): Promise<boolean> => {
    if (left <= 0) return false
    left -= 1
    const result = await simulate(scenario)
    if (!result.violations.some(({ rule }) => rules.has(rule))) return false
    best = result
    return true
  }
  await fewerEvents(() => best.scenario, attempt)
  // Other jobs may be in it without having a part in it; events name jobs by their place.
  while (best.scenario.jobs.length > 1) {
    const { scenario } = best
    const jobs = scenario.jobs.slice(0, -1)
    const events = scenario.events.filter(
      (event) =>
        (!('job' in event) || event.job < jobs.length) &&
        (event.when === undefined || event.when.job < jobs.length),
    )
    if (!(await attempt({ ...scenario, jobs, events }))) break
  }
  await fewerEvents(() => best.scenario, attempt)
  return best
}

/** Half of them, a quarter, one: whatever can go does. */
async function fewerEvents(
  current: () => Scenario,
  attempt: (scenario: Scenario) => Promise<boolean>,
): Promise<void> {
  let size = Math.max(1, current().events.length >> 1)
  for (;;) {
    let removed = false
    for (let start = 0; start < current().events.length;) {
      const { events } = current()
      const rest = [...events.slice(0, start), ...events.slice(start + size)]
      if (await attempt({ ...current(), events: rest })) removed = true
      else start += size
    }
    if (size === 1 && !removed) return
    size = Math.max(1, size >> 1)
  }
}
