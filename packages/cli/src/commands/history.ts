/** `elasticjob history`: lists recorded runs. */
import type {
  ExecutionFilter,
  ExecutionOutcome,
  StatisticsStep,
  HistoryStore,
  Page,
  Source,
} from '@elasticjob/tracing'
import { type Command, InvalidArgumentError, Option } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  listOf,
  positiveNumber,
  wholeNumber,
  withExamples,
  withJson,
} from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { momentOf } from '../history/moment.ts'
import { withHistory } from '../history/open.ts'
import { type HistoryFlags, withHistoryOptions } from '../history/resolve.ts'
import {
  executionColumns,
  executionJson,
  statisticsColumns,
  statisticsJson,
  statusColumns,
  statusJson,
} from '../history/rows.ts'
import { dateTime } from '../output/moments.ts'

interface ListFlags extends HistoryFlags, JsonFlag {
  readonly server?: string
  readonly shard?: number
  readonly outcome?: readonly ExecutionOutcome[]
  readonly source?: readonly Source[]
  readonly since?: (now: number) => number
  readonly until?: (now: number) => number
  readonly limit: number
  readonly cursor?: string
  readonly states?: boolean
  readonly run?: string
  readonly statistics?: StatisticsStep
}

const outcomes = [
  'running',
  'success',
  'failure',
  'timeout',
  'aborted',
  'stopped',
  'not-started',
  'lost',
] as const
const sources = ['cron', 'misfire', 'trigger', 'failover'] as const
const steps = ['minute', 'hour', 'day'] as const

/** The default window of statistics, in steps. */
const usualSteps = 24
const stepLength: Readonly<Record<StatisticsStep, number>> = Object.freeze({
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
})

export function addHistoryCommand(program: Command, cli: Cli): void {
  const command = program
    .command('history')
    .summary('list recorded runs: when, where, how long, and with which outcome')
    .description(
      'Lists the recorded runs of all jobs or of one job, newest first.\n' +
        '--cursor continues after a page. --statistics prints statistics instead: the number of runs and their durations.',
    )
    .argument('[job]', 'only runs of this job')
    .option('--server <address>', 'only runs on this server (address or host name)')
    .option('--shard <number>', 'only runs of this shard', wholeNumber)
    .option(
      '--outcome <list>',
      `only these outcomes: ${outcomes.join(', ')}`,
      listOf(oneOf(outcomes)),
    )
    .option('--source <list>', `only these sources: ${sources.join(', ')}`, listOf(oneOf(sources)))
    .option(
      '--since <time>',
      'only runs started since: 30s, 10min, 2h or 7d ago, or 2026-11-15T08:00',
      momentOf,
    )
    .option('--until <time>', 'only runs started before this time', momentOf)
    .option('-l, --limit <number>', 'the number of runs to show, up to 1000', positiveNumber, 50)
    .option('--cursor <text>', 'continue after the page that printed this cursor')
    .option('--states', 'list the state changes of tasks, as Java records them')
    .option('--run <id>', 'show one run and all its attempts')
    .addOption(
      new Option('--statistics <step>', 'statistics of a job by this step').choices([...steps]),
    )
    .action((job: string | undefined, flags: ListFlags) => showHistory(cli, job, flags))
  withExamples(withJson(withHistoryOptions(command)), [
    ['elasticjob history sync-orders', 'the last runs of a job'],
    ['elasticjob history --outcome failure,lost --since 1d', 'failures of the last day'],
    ['elasticjob history sync-orders --statistics hour', 'durations by hour'],
    ['elasticjob history --run TgF0IqGN9VQhMZQk', 'one run and its attempts'],
  ])
}

async function showHistory(cli: Cli, jobName: string | undefined, flags: ListFlags): Promise<void> {
  await withHistory(cli, flags, async (history) => {
    if (flags.run !== undefined) await showRun(cli, history, flags.run, flags)
    else if (flags.statistics !== undefined) await showRunStatistics(cli, history, jobName, flags)
    else if (flags.states === true) await showStates(cli, history, jobName, flags)
    else await showExecutions(cli, history, jobName, flags)
  })
}

async function showExecutions(
  cli: Cli,
  history: HistoryStore,
  jobName: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const { output } = cli
  const { outcome, source } = flags
  const filter: ExecutionFilter = {
    ...placeOf(cli, jobName, flags),
    ...(outcome === undefined ? {} : { outcomes: outcome }),
    ...(source === undefined ? {} : { sources: source }),
  }
  const page = await history.executions(filter, pageOf(flags))
  if (flags.json === true) output.json({ ...page, rows: page.rows.map(executionJson) })
  else if (page.rows.length > 0) output.table(executionColumns(output.style), page.rows)
  tellRest(cli, page, flags)
}

async function showStates(
  cli: Cli,
  history: HistoryStore,
  jobName: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const { output } = cli
  const page = await history.statusChanges(placeOf(cli, jobName, flags), pageOf(flags))
  if (flags.json === true) output.json({ ...page, rows: page.rows.map(statusJson) })
  else if (page.rows.length > 0) output.table(statusColumns(output.style), page.rows)
  tellRest(cli, page, flags)
}

async function showRun(
  { output }: Cli,
  history: HistoryStore,
  runId: string,
  { json }: JsonFlag,
): Promise<void> {
  const run = await history.run(runId)
  if (run === undefined) throw new CommandError('CLI_NOT_FOUND', `run "${runId}" is not recorded`)
  const { execution, attempts } = run
  if (json === true) {
    output.json({ execution: executionJson(execution), attempts: attempts.map(executionJson) })
    return
  }
  const { details } = execution
  output.properties([
    ['Run', execution.id],
    ['Job', `${execution.jobName}, shard ${execution.shardingItem}`],
    ['Server', `${execution.ip} (${execution.hostname})`],
    ['Outcome', execution.outcome],
    ...(details === undefined
      ? []
      : ([
          ['Fire time', dateTime(details.fireTime)],
          ['Retries', String(details.retries)],
          ['Fencing token', details.fencingToken?.toString() ?? '-'],
        ] as const)),
  ])
  output.line()
  output.table(executionColumns(output.style), attempts)
  if (execution.failureCause === undefined) return
  output.line()
  output.text(execution.failureCause)
}

async function showRunStatistics(
  cli: Cli,
  history: HistoryStore,
  jobName: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const { output, clock } = cli
  const step = flags.statistics ?? 'hour'
  if (jobName === undefined) {
    throw new CommandError('CLI_USAGE', '--statistics needs a job name')
  }
  const now = clock.now()
  const to = flags.until?.(now) ?? now
  const from = flags.since?.(now) ?? to - usualSteps * stepLength[step]
  const { buckets, total } = await history.statistics({ jobName, step, from, to })
  if (flags.json === true) {
    output.json({ buckets: buckets.map(statisticsJson), total: statisticsJson(total) })
    return
  }
  if (buckets.length === 0)
    output.note(`Job '${jobName}' has no recorded runs since ${dateTime(from)}.`)
  else output.table(statisticsColumns, [...buckets])
}

function placeOf(
  { clock }: Cli,
  jobName: string | undefined,
  { server, shard, since, until }: ListFlags,
): ExecutionFilter {
  const now = clock.now()
  return {
    ...(jobName === undefined ? {} : { jobName }),
    ...(server === undefined ? {} : { address: server }),
    ...(shard === undefined ? {} : { shardingItem: shard }),
    ...(since === undefined ? {} : { from: since(now) }),
    ...(until === undefined ? {} : { to: until(now) }),
  }
}

function pageOf({ limit, cursor }: ListFlags): { limit: number; cursor?: string } {
  return { limit: Math.min(Math.floor(limit), 1000), ...(cursor === undefined ? {} : { cursor }) }
}

/** For people only: the JSON output contains the cursor. */
function tellRest({ output }: Cli, { rows, next }: Page<unknown>, { json }: JsonFlag): void {
  if (json === true) return
  if (next !== undefined) output.note(`For more, add --cursor ${next}`)
  else if (rows.length === 0) output.note('No matching runs are recorded.')
}

function oneOf<T extends string>(known: readonly T[]): (text: string) => T {
  return (text) => {
    const found = known.find((each) => each === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.`)
  }
}
