/** `npm run check:plans -- --states 200000 --depth 40`: all scenarios, or those with `--only` in their names. */
import { parseArgs } from 'node:util'

import { describe } from './report.ts'
import { clusterOf, rulesOf, scenarios } from './scenarios.ts'
import { explore } from './explore.ts'

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '50000' },
    depth: { type: 'string', default: '40' },
    walks: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    /** Ends with the first finding. */
    first: { type: 'boolean', default: false },
  },
})
const bounds = {
  states: Number(values.states),
  depth: Number(values.depth),
  walks: Number(values.walks),
}

for (const scenario of scenarios) {
  if (!scenario.name.includes(values.only)) continue
  const begun = process.cpuUsage()
  const exploration = explore(clusterOf(scenario), rulesOf(scenario), bounds)
  const { user, system } = process.cpuUsage(begun)
  process.stdout.write(`${describe(scenario, exploration, (user + system) / 1000)}\n`)
  if (exploration.finding !== undefined) process.exitCode = 1
  if (exploration.finding !== undefined && values.first) break
}
