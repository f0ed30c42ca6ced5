/** `elasticjob run`: a process that runs jobs. */
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import {
  ElasticJob,
  type ElasticJobOptions,
  isElasticJobError,
  runElasticJobFile,
} from '@elasticjob/core'
import { messageOf } from '@elasticjob/core/internal'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  portNumber,
  withExamples,
  withJson,
  withRegistry,
} from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { companionsOf } from '../history/companions.ts'
import { exposeMetrics } from '../metrics/expose.ts'
import { terminalLogger } from '../output/log.ts'
import { reachable } from '../registry/reach.ts'
import { type RegistryFlags, resolveRegistry, givenRegistry } from '../registry/resolve.ts'

interface RunFlags extends RegistryFlags, JsonFlag {
  readonly ip?: string
  readonly metricsPort?: number
  readonly verbose?: boolean
}

/** The export of a module for `run`. */
type ScheduleJobs = (jobs: ElasticJob) => unknown

export function addRunCommand(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .summary('run the jobs of an elasticjob.yaml or of a module')
    .description(
      'Runs the jobs of a file until it receives a signal; then it hands over its shards and waits for active runs.\n' +
        'FILE is an elasticjob.yaml, or a module that exports a function, which receives the connected ElasticJob.\n' +
        'FILE#NAME selects an export by name (default: the default export).',
    )
    .argument('<file>', 'elasticjob.yaml, jobs.js, jobs.js#nightly')
    .option('--ip <address>', 'the IP address of this instance')
    .option('--metrics-port <number>', 'serve Prometheus metrics on this loopback port', portNumber)
    .option('-v, --verbose', 'log every run')
    .action((file: string, flags: RunFlags) => run(cli, file, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob run elasticjob.yaml', 'the jobs of the file'],
    ['elasticjob run ./jobs.js --servers zk1:2181 --namespace shop', 'the jobs of a module'],
    ['elasticjob run elasticjob.yaml --metrics-port 9464', 'metrics at 127.0.0.1:9464/metrics'],
    ['NODE_OPTIONS="--import tsx" elasticjob run jobs.ts', 'a module in TypeScript, on Node 20'],
  ])
}

async function run(cli: Cli, file: string, flags: RunFlags): Promise<void> {
  const { terminal, clock } = cli
  const { ip, json = false, verbose = false, metricsPort } = flags
  const logger = terminalLogger(terminal, clock, { json, verbose })
  // Loaded lazily: no other command needs it, and it would delay their start.
  const { errorHandlers } = await import('@elasticjob/error-handlers')
  const own = { logger, errorHandlers: errorHandlers(), ...(ip === undefined ? {} : { ip }) }
  try {
    if (/^\.ya?ml$/i.test(extname(file))) {
      // The file's own section `registry` fills in what options and variables do not set.
      const registry = givenRegistry(flags, terminal.environment)
      const path = resolve(terminal.directory, file)
      const companions = companionsOf(path, { logger, metricsPort })
      await reachable(registry, () => runElasticJobFile(path, { ...registry, ...own }, companions))
    } else {
      const schedule = await load(terminal.directory, file)
      const options = { ...resolveRegistry(flags, terminal), ...own }
      const metrics = { section: undefined, port: metricsPort }
      await runModule(schedule, options, (jobs) => exposeMetrics(jobs, metrics, undefined, logger))
    }
  } catch (error) {
    throw withHint(error)
  }
}

async function runModule(
  schedule: ScheduleJobs,
  options: ElasticJobOptions,
  connected: (jobs: ElasticJob) => Promise<void>,
): Promise<void> {
  const jobs = await reachable(options, () => ElasticJob.connect(options))
  try {
    await connected(jobs)
    await schedule(jobs)
  } catch (error) {
    await jobs.stop({ drain: false })
    throw error
  }
}

async function load(directory: string, file: string): Promise<ScheduleJobs> {
  const at = file.lastIndexOf('#')
  const path = at === -1 ? file : file.slice(0, at)
  const name = at === -1 ? 'default' : file.slice(at + 1)
  let module: Record<string, unknown>
  try {
    module = (await import(pathToFileURL(resolve(directory, path)).href)) as typeof module
  } catch (cause) {
    const reason = messageOf(cause)
    throw new CommandError('CLI_USAGE', `cannot load ${path}: ${reason}`, cause)
  }
  const schedule = module[name]
  if (typeof schedule === 'function') return schedule as ScheduleJobs
  const exported = Object.keys(module).join(', ') || 'nothing'
  throw new CommandError(
    'CLI_USAGE',
    [
      `${path} does not export a function "${name}"; its exports: ${exported}.`,
      'A module for this command looks like this:',
      '  export default async (jobs) => {',
      "    await jobs.schedule({ jobName: 'sync-orders', cron: '0/10 * * * * ?', shardingTotalCount: 3 }, syncOrders)",
      '  }',
    ].join('\n'),
  )
}

/** Core's error about a file or a module, with a hint for the command line. */
function withHint(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE') && error.cause instanceof Error) {
    return new CommandError('CLI_USAGE', `${error.message}: ${error.cause.message}`, error)
  }
  if (!/Unknown file extension "\.[cm]?ts"/.test(error.message)) return error
  return new CommandError(
    'CLI_USAGE',
    `${error.message}\nThis version of Node cannot load TypeScript; use NODE_OPTIONS="--import tsx" elasticjob run …`,
    error,
  )
}
