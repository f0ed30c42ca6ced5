import { parseArgs } from 'node:util'
import { runChaos } from './chaos/experiment.ts'
import { chaosMetrics } from './chaos/report.ts'
import { runExperiment } from './experiment.ts'
import { failuresOf, metricsOf } from './report.ts'

const help = `npm run test:cluster -- [--minutes 5] [--seed 1] [--target embedded|ensemble] [--shards 1,10,100,1000]
    [--catch-up skip|all] [--keep-logs]

  Starts, stops, disables and enables worker processes while jobs with many shards run every second, and
  checks from the workers' own logs that every shard ran exactly once at every fire.

npm run test:cluster -- chaos [--minutes 5] [--seed 1] [--target ensemble|standalone] [--keep-logs]

  Kills, stops, redeploys and cuts off workers with drifting clocks and the servers of a real ensemble, wipes
  and restores its data, deletes the tree that the product keeps its state in, and lets operators act at random
  moments. Checks from the workers' own logs, the wire and the tree that no shard ran on two valid leases, that
  every fire time of every enabled shard ran or was reported, that no report was false, that no saved offset was
  lost, that nothing ran that was switched off or repeated after its end, and that everything runs afterwards.`

/** More would say the same again. */
const shownFailures = 40

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      target: { type: 'string' },
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
      target: oneOf('--target', ['embedded', 'ensemble'], values.target ?? 'embedded'),
      shards: values.shards.split(',').map((count) => positive('--shards', count)),
      catchUp: oneOf('--catch-up', ['skip', 'all'], values['catch-up']),
    })
    process.stdout.write(
      `${values.target ?? 'embedded'}, seed ${values.seed}: ${metricsOf(experiment)}\n`,
    )
    finish(experiment.directory, failuresOf(experiment))
  } else if (positionals.join() === 'chaos') {
    const target = oneOf('--target', ['ensemble', 'standalone'], values.target ?? 'ensemble')
    const chaos = await runChaos({ ...common, target })
    process.stdout.write(`chaos, ${target}, seed ${values.seed}: ${chaosMetrics(chaos)}\n`)
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

function oneOf<T extends string>(name: string, values: readonly T[], value: string): T {
  const known = values.find((one) => one === value)
  if (known !== undefined) return known
  throw new Error(`${name} must be one of ${values.join(', ')}, not ${value}`)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new Error(`${name} must be a positive number, not ${text}`)
}

await main()
