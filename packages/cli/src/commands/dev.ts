/** `elasticjob dev`: a whole cluster on one machine. */
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

/** Each has its own address in 127.0.0.0/8; small machines reach their limits earlier. */
const mostWorkers = 50

export function addDevCommand(program: Command, cli: Cli): void {
  const command = program
    .command('dev')
    .summary('start a whole cluster on this machine: server, workers, jobs, and a live view')
    .description(
      'Starts the embedded server in memory and several workers, and shows which worker runs which shard.\n' +
        'Kill a worker in another terminal and watch its shards move to the others. Ctrl-C stops everything.',
    )
    .argument(
      '[file]',
      'an elasticjob.yaml with the jobs to run (default: sample jobs of every type)',
    )
    .option('-w, --workers <number>', 'the number of worker processes', wholeNumber, 3)
    .option('-p, --port <number>', 'the port of the server; 0 for any free port', portNumber, 0)
    .option(
      '--seconds <number>',
      'end after this time, and fail if a shard missed a fire time or ran twice',
      positiveNumber,
    )
    .action((file: string | undefined, flags: DevFlags) => dev(cli, file, flags))
  withExamples(command, [
    ['elasticjob dev', 'three workers with sample jobs'],
    ['elasticjob dev elasticjob.yaml --workers 5', 'your own jobs'],
    ['elasticjob dev --seconds 20', 'a self-test that ends with an exit code'],
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
  if (fires === 0) throw new CommandError('CLI_FAILED', 'no job fired')
  // A lost worker takes its runs along, unless the job has failover.
  if (twice.length > 0 || (missing.length > 0 && end.lostWorkers === 0)) {
    throw new CommandError('CLI_FAILED', 'not every shard ran exactly once for each fire time')
  }
}

function summarize({ output }: Cli, { summary }: ClusterEnd): void {
  const { fires, runs, twice, missing } = summary
  const total = [...runs.values()].reduce((sum, each) => sum + each, 0)
  output.line(`Stopped. Fire times: ${fires}, runs: ${total}, by worker:`)
  for (const name of [...runs.keys()].toSorted()) output.line(`  ${name}  ${runs.get(name)}`)
  for (const problem of [...twice, ...missing]) output.line(problem)
  if (fires > 0 && twice.length + missing.length === 0) {
    output.line('Every shard ran exactly once for each fire time.')
  }
}
