/** `elasticjob dev`: a whole cluster on one machine, to look at and to break. */
import { resolve } from 'node:path'

import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { portNumber, positiveNumber, wholeNumber, withExamples } from '../command-options.ts'
import type { ClusterEnd } from '../dev/cluster.ts'
import { CommandError } from '../errors.ts'

interface DevFlags {
  readonly workers: number
  readonly port: number
  readonly seconds?: number
}

/** Each has an address of its own below 127.0.0.0, and a small machine has its limits before that. */
const mostWorkers = 50

export function addDevCommand(program: Command, cli: Cli): void {
  const command = program
    .command('dev')
    .summary('a whole cluster on this machine: server, workers, jobs, and a view of them')
    .description(
      'Starts the embedded server in memory and some worker processes that share jobs, and shows who runs which item.\n' +
        'Kill a worker from another terminal and see its items move. Ctrl-C leaves nothing running.',
    )
    .argument(
      '[file]',
      'an elasticjob.yaml whose jobs to run; without it, sample jobs of every type',
    )
    .option('-w, --workers <number>', 'how many worker processes', wholeNumber, 3)
    .option('-p, --port <number>', 'the port of the server; 0 for any that is free', portNumber, 0)
    .option(
      '--seconds <number>',
      'end after so long, and fail if an item was missed or run twice',
      positiveNumber,
    )
    .action((file: string | undefined, flags: DevFlags) => dev(cli, file, flags))
  withExamples(command, [
    ['elasticjob dev', 'three workers and sample jobs'],
    ['elasticjob dev elasticjob.yaml --workers 5', 'your own jobs'],
    ['elasticjob dev --seconds 20', 'a check that all is well'],
  ])
}

async function dev(cli: Cli, file: string | undefined, flags: DevFlags): Promise<void> {
  const { workers, port, seconds } = flags
  if (workers < 1 || workers > mostWorkers) {
    throw new CommandError(
      'CLI_USAGE',
      `--workers must be from 1 to ${mostWorkers}, not ${workers}`,
    )
  }
  const path = file === undefined ? undefined : resolve(cli.terminal.directory, file)
  const { runCluster } = await import('../dev/cluster.ts')
  const end = await runCluster(cli, { workers, port, file: path, seconds })
  summarize(cli, end)
  const { fires, twice, missing } = end.summary
  if (end.reason !== 'time') return
  if (fires === 0) throw new CommandError('CLI_FAILED', 'nothing has fired')
  // Who takes a worker away takes what it ran, unless there is failover.
  if (twice.length > 0 || (missing.length > 0 && end.lostWorkers === 0)) {
    throw new CommandError('CLI_FAILED', 'not every item ran exactly once for each fire')
  }
}

function summarize({ output }: Cli, { summary }: ClusterEnd): void {
  const { fires, runs, twice, missing } = summary
  const total = [...runs.values()].reduce((sum, each) => sum + each, 0)
  output.line(`Stopped. Fires: ${fires}, runs: ${total}, of these:`)
  for (const name of [...runs.keys()].toSorted()) output.line(`  ${name}  ${runs.get(name)}`)
  for (const problem of [...twice, ...missing]) output.line(problem)
  if (fires > 0 && twice.length + missing.length === 0) {
    output.line('Every item ran exactly once for each fire.')
  }
}
