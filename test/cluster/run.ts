import { parseArgs } from 'node:util'
import { runChaos } from './chaos/experiment.ts'
import { chaosFigures } from './chaos/report.ts'
import { runExperiment } from './experiment.ts'
import { failuresOf, figuresOf } from './report.ts'

const help = `npm run test:cluster -- [--minutes 5] [--seed 1] [--target embedded|ensemble] [--shards 1,10,100,1000]
    [--catch-up skip|all] [--keep-logs]

  Starts, stops, disables and enables worker processes while jobs with many items run every second, and
  checks from the workers' own logs that every item ran exactly once at every fire.

npm run test:cluster -- chaos [--minutes 5] [--seed 1] [--keep-logs]

  Kills, stops and cuts off workers and the servers of a real ensemble, its leader among them, and checks
  from the workers' own logs, the wire and the tree that no item ran on two valid leases, that no scheduled
  time was lost without a word, that nothing was repeated after its end, and that all is well afterwards.`

/** More would say the same again. */
const shownFailures = 40

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      target: { type: 'string', default: 'embedded' },
      shards: { type: 'string', default: '1,10,100,1000' },
      'catch-up': { type: 'string', default: 'skip' },
      'keep-logs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${help}\n`)
    return
  }
  const common = {
    minutes: positive('--minutes', values.minutes),
    seed: positive('--seed', values.seed),
    keepLogs: values['keep-logs'],
    told: (line: string) => process.stderr.write(`${line}\n`),
  }
  if (positionals.length === 0) {
    const experiment = await runExperiment({
      ...common,
      target: targetOf(values.target),
      shards: values.shards.split(',').map((count) => positive('--shards', count)),
      catchUp: catchUpOf(values['catch-up']),
    })
    process.stdout.write(`${values.target}, seed ${values.seed}: ${figuresOf(experiment)}\n`)
    finish(experiment.directory, failuresOf(experiment))
  } else if (positionals.join() === 'chaos') {
    const chaos = await runChaos(common)
    process.stdout.write(`chaos, seed ${values.seed}: ${chaosFigures(chaos)}\n`)
    finish(
      chaos.directory,
      chaos.violations.map(({ rule, text }) => `${rule}: ${text}`),
    )
  } else throw new Error(`there is no "${positionals.join(' ')}"`)
}

function finish(directory: string | undefined, failures: readonly string[]): void {
  if (directory !== undefined) process.stdout.write(`logs: ${directory}\n`)
  for (const failure of failures.slice(0, shownFailures)) process.stderr.write(`${failure}\n`)
  if (failures.length === 0) return
  process.stderr.write(`${failures.length} failures\n`)
  process.exitCode = 1
}

function targetOf(value: string): 'embedded' | 'ensemble' {
  if (value === 'embedded' || value === 'ensemble') return value
  throw new Error(`--target must be embedded or ensemble, not ${value}`)
}

function catchUpOf(value: string): 'skip' | 'all' {
  if (value === 'skip' || value === 'all') return value
  throw new Error(`--catch-up must be skip or all, not ${value}`)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new Error(`${name} must be a positive number, not ${text}`)
}

await main()
