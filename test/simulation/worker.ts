/** A process that simulates the seeds that it is sent, one after the other, and reports each. */
import { type Tally, tallyOf } from './figures.ts'
import { makeScenario } from './make-scenario.ts'
import { shrink } from './shrink.ts'
import { simulate } from './simulate.ts'
import { timelineOf } from './timeline.ts'

export interface WorkerOptions {
  /** Whether failing seeds are made smaller and told in full. */
  readonly shrink: boolean
}

/** What came of one seed. */
export interface Report {
  readonly tally: Tally
  readonly text: string
}

/** How many failing seeds each process tells in full, and how many simulations may go into making one smaller. */
const timelines = 3
const attempts = 200

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions
let failed = 0

async function reportOn(seed: number): Promise<Report> {
  const begun = process.cpuUsage()
  const result = await simulate(makeScenario(seed))
  const { user, system } = process.cpuUsage(begun)
  const tally = tallyOf(result, (user + system) / 1000)
  const [violation] = result.violations
  if (violation === undefined) return { tally, text: '' }
  failed += 1
  const { rule, text } = violation
  const summary = `seed ${seed}: ${result.violations.length} violations, of ${rule}: ${text}`
  if (failed > timelines || !options.shrink) return { tally, text: summary }
  const smaller = await shrink(result, attempts)
  return { tally, text: `${summary}\n${timelineOf(smaller)}` }
}

process.on('message', (seed: number) => {
  void reportOn(seed).then((report) => process.send?.(report))
})
