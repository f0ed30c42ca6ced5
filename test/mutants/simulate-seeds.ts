/** The simulation as a checker of mutants: `--seeds 20` from the first seed on, until one of them fails. */
import { parseArgs } from 'node:util'

import { makeScenario } from '../simulation/make-scenario.ts'
import { simulate } from '../simulation/simulate.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '20' } } })

for (let seed = 1; seed <= Number(values.seeds); seed++) {
  const { violations } = await simulate(makeScenario(seed))
  const [violation] = violations
  if (violation === undefined) continue
  process.stdout.write(`seed ${seed}: ${violation.rule}: ${violation.text}\n`)
  process.exit(1)
}
