/** `npm run simulate -- --seeds 100 --from 1`: whole clusters on a simulated clock, one for each seed. */
import { parseArgs } from 'node:util'

import { Figures } from './figures.ts'
import { makeScenario } from './scenario.ts'
import { shrink } from './shrink.ts'
import { simulate } from './simulate.ts'
import { timelineOf } from './timeline.ts'

/** How many failing seeds are told in full, and how many simulations may go into making one smaller. */
const stories = 3
const patience = 200

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    'no-shrink': { type: 'boolean', default: false },
  },
})

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

const first = Number(values.from)
const figures = new Figures()
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const result = await simulate(makeScenario(seed))
  figures.add(result)
  const [violation] = result.violations
  if (violation === undefined) continue
  print(
    `seed ${seed}: ${result.violations.length} violations, of ${violation.rule}: ${violation.text}`,
  )
  if (figures.failed > stories || values['no-shrink']) continue
  print(timelineOf(await shrink(result, patience)))
}
print(String(figures))
if (figures.failed > 0) process.exitCode = 1
