/** `elasticjob history`: what ran, when, where, and how it ended. */
import type {
  ExecutionFilter,
  ExecutionOutcome,
  FigureStep,
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
  figureColumns,
  figureJson,
  statusColumns,
  statusJson,
} from '../history/rows.ts'
import { dateTime } from '../output/moments.ts'

interface ListFlags extends HistoryFlags, JsonFlag {
  readonly server?: string
  readonly item?: number
  readonly outcome?: readonly ExecutionOutcome[]
  readonly source?: readonly Source[]
  readonly since?: (now: number) => number
  readonly until?: (now: number) => number
  readonly limit: number
  readonly cursor?: string
  readonly states?: boolean
  readonly run?: string
  readonly figures?: FigureStep
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

/** How far back figures go if nobody says so, in steps. */
const usualSteps = 24
const stepLength: Readonly<Record<FigureStep, number>> = Object.freeze({
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
})

export function addHistoryCommand(program: Command, cli: Cli): void {
  const command = program
    .command('history')
    .summary('what ran, when, on which server, how long, and how it ended')
    .description(
      'Lists runs from the newest to the oldest, of all jobs or of one, from the database they are recorded in.\n' +
        'Where a page has ended, --cursor goes on. With --figures, how many there were and how long they took.',
    )
    .argument('[job]', 'the runs of this job alone')
    .option('--server <address>', 'on this server: its address or its name')
    .option('--item <number>', 'of this item', wholeNumber)
    .option('--outcome <list>', `ended so: ${outcomes.join(', ')}`, listOf(oneOf(outcomes)))
    .option('--source <list>', `came about so: ${sources.join(', ')}`, listOf(oneOf(sources)))
    .option('--since <time>', 'begun since 30s, 10min, 2h or 7d ago, or 2026-11-15T08:00', momentOf)
    .option('--until <time>', 'begun before that time', momentOf)
    .option('-l, --limit <number>', 'how many to show, up to 1000', positiveNumber, 50)
    .option('--cursor <text>', 'go on where a page has ended')
    .option('--states', 'the states that tasks went through, as Java records them')
    .option('--run <id>', 'one run, with all attempts at the same')
    .addOption(
      new Option('--figures <step>', 'figures of the job by this step').choices([...steps]),
    )
    .action((job: string | undefined, flags: ListFlags) => showHistory(cli, job, flags))
  withExamples(withJson(withHistoryOptions(command)), [
    ['elasticjob history sync-orders', 'its last runs'],
    ['elasticjob history --outcome failure,lost --since 1d', 'what went wrong since yesterday'],
    ['elasticjob history sync-orders --figures hour', 'is it getting slower?'],
    ['elasticjob history --run TgF0IqGN9VQhMZQk', 'one run and its attempts'],
  ])
}

async function showHistory(cli: Cli, jobName: string | undefined, flags: ListFlags): Promise<void> {
  await withHistory(cli, flags, async (history) => {
    if (flags.run !== undefined) await showRun(cli, history, flags.run, flags)
    else if (flags.figures !== undefined) await showFigures(cli, history, jobName, flags)
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
  if (run === undefined) throw new CommandError('CLI_NOT_FOUND', `no run "${runId}" is recorded`)
  const { execution, attempts } = run
  if (json === true) {
    output.json({ execution: executionJson(execution), attempts: attempts.map(executionJson) })
    return
  }
  const { details } = execution
  output.properties([
    ['Run', execution.id],
    ['Job', `${execution.jobName}, item ${execution.shardingItem}`],
    ['Server', `${execution.ip} (${execution.hostname})`],
    ['Outcome', execution.outcome],
    ...(details === undefined
      ? []
      : ([
          ['Was due', dateTime(details.fireTime)],
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

async function showFigures(
  cli: Cli,
  history: HistoryStore,
  jobName: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const { output, clock } = cli
  const step = flags.figures ?? 'hour'
  if (jobName === undefined) {
    throw new CommandError('CLI_USAGE', '--figures are those of one job: name it')
  }
  const now = clock.now()
  const to = flags.until?.(now) ?? now
  const from = flags.since?.(now) ?? to - usualSteps * stepLength[step]
  const { buckets, total } = await history.figures({ jobName, step, from, to })
  if (flags.json === true) {
    output.json({ buckets: buckets.map(figureJson), total: figureJson(total) })
    return
  }
  if (buckets.length === 0) output.note(`Job ${jobName} has no runs since ${dateTime(from)}.`)
  else output.table(figureColumns, [...buckets])
}

function placeOf(
  { clock }: Cli,
  jobName: string | undefined,
  { server, item, since, until }: ListFlags,
): ExecutionFilter {
  const now = clock.now()
  return {
    ...(jobName === undefined ? {} : { jobName }),
    ...(server === undefined ? {} : { address: server }),
    ...(item === undefined ? {} : { shardingItem: item }),
    ...(since === undefined ? {} : { from: since(now) }),
    ...(until === undefined ? {} : { to: until(now) }),
  }
}

function pageOf({ limit, cursor }: ListFlags): { limit: number; cursor?: string } {
  return { limit: Math.min(Math.floor(limit), 1000), ...(cursor === undefined ? {} : { cursor }) }
}

/** For people alone: a program has it in the answer. */
function tellRest({ output }: Cli, { rows, next }: Page<unknown>, { json }: JsonFlag): void {
  if (json === true) return
  if (next !== undefined) output.note(`There are more: --cursor ${next}`)
  else if (rows.length === 0) output.note('Nothing of this kind is recorded.')
}

function oneOf<T extends string>(known: readonly T[]): (text: string) => T {
  return (text) => {
    const found = known.find((each) => each === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.`)
  }
}
