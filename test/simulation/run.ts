/**
 * `npm run simulate -- --seeds 100 --from 1 --jobs 2`: whole clusters on a simulated clock, one for each
 * seed, in so many processes. A seed that fails is made smaller and told as a story.
 */
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'

import { describe, noTally, progressOf, sumOf, type Tally, tallyOf } from './figures.ts'
import { makeScenario } from './make-scenario.ts'
import { shrink } from './shrink.ts'
import { simulate } from './simulate.ts'
import { timelineOf } from './timeline.ts'

/** How many failing seeds each process tells in full, and how many simulations may go into making one smaller. */
const stories = 3
const patience = 200
/** How often somebody who waits hears of it, in milliseconds. */
const interval = 60_000

/** What came of one seed. */
interface Report {
  readonly tally: Tally
  readonly text: string
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    'no-shrink': { type: 'boolean', default: false },
    /** For the processes that do the work: which of them it is. */
    worker: { type: 'string' },
  },
})
const first = Number(values.from)
const seeds = Number(values.seeds)
const jobs = Number(values.jobs)

/** Every so many-th seed, beginning with this one. */
async function* work(offset: number): AsyncGenerator<Report> {
  let failed = 0
  for (let seed = first + offset; seed < first + seeds; seed += jobs) {
    const begun = process.cpuUsage()
    const result = await simulate(makeScenario(seed))
    const { user, system } = process.cpuUsage(begun)
    const tally = tallyOf(result, (user + system) / 1000)
    const [violation] = result.violations
    if (violation === undefined) {
      yield { tally, text: '' }
      continue
    }
    failed += 1
    const { rule, text } = violation
    const summary = `seed ${seed}: ${result.violations.length} violations, of ${rule}: ${text}`
    const isTold = failed <= stories && !values['no-shrink']
    yield {
      tally,
      text: isTold ? `${summary}\n${timelineOf(await shrink(result, patience))}` : summary,
    }
  }
}

/** The same in a process of its own. */
function inProcess(offset: number, take: (report: Report) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--worker', String(offset)])
    child.on('message', (report) => take(report as Report))
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`process ${offset} ended with ${code}`))
    })
  })
}

async function collect(): Promise<void> {
  const begun = performance.now()
  let told = begun
  let tally = noTally
  const take = (report: Report): void => {
    tally = sumOf(tally, report.tally)
    if (report.text !== '') print(report.text)
    if (performance.now() - told < interval) return
    told = performance.now()
    print(progressOf(tally, seeds, told - begun))
  }
  if (jobs === 1) for await (const report of work(0)) take(report)
  else await Promise.all(Array.from({ length: jobs }, (_, offset) => inProcess(offset, take)))
  print(describe(tally, performance.now() - begun))
  if (tally.failed > 0) process.exitCode = 1
}

function send(report: Report): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(report, undefined, undefined, () => resolve())
  })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

if (values.worker === undefined) await collect()
else {
  for await (const report of work(Number(values.worker))) await send(report)
  process.disconnect()
}
