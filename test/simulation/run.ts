/**
 * `npm run simulate -- --seeds 100 --from 1`: whole clusters on a simulated clock, one for each seed, in one
 * process for each core. A seed that fails is made smaller and told as a story.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { withWorker } from './bundle.ts'
import { describe, noTally, progressOf, sumOf } from './figures.ts'
import { tableModule } from './guidance.ts'
import { help, RunOptionError, type RunOptions, runOptionsOf } from './run-options.ts'
import { simulateSeeds } from './worker-pool.ts'

const table = join(import.meta.dirname, 'coverage-levels.ts')
/** How often progress is printed, in milliseconds. */
const interval = 60_000

/** Whether no seed failed. */
async function simulateAll(options: RunOptions, program: string): Promise<boolean> {
  const { seeds, from, first } = options
  const jobs = Math.min(options.jobs, seeds)
  const begun = performance.now()
  let printedAt = begun
  let tally = noTally
  await simulateSeeds({ program, jobs, options }, numbers(from, seeds), (report) => {
    tally = sumOf(tally, report.tally)
    if (report.text !== '') print(report.text)
    if (performance.now() - printedAt >= interval) {
      printedAt = performance.now()
      print(progressOf(tally, seeds, printedAt - begun))
    }
    return !first || tally.failed === 0
  })
  print(describe(tally, performance.now() - begun))
  if (options.learn) writeFileSync(table, tableModule(tally.coverage, Object.keys(tally.faults)))
  return tally.failed === 0
}

function* numbers(from: number, count: number): Generator<number> {
  for (let number = from; number < from + count; number++) yield number
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function main(): Promise<void> {
  const options = runOptionsOf(process.argv.slice(2))
  if (options === undefined) {
    print(help)
    return
  }
  const passed = await withWorker(options.bug, (program) => simulateAll(options, program))
  if (!passed) process.exitCode = 1
}

await main().catch((error: unknown) => {
  if (!(error instanceof RunOptionError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
})
