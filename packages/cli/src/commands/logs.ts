/** `elasticjob logs`: prints the output of runs. */
import type { Execution, HistoryStore, LogChunk } from '@elasticjob/tracing'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, wholeNumber, withExamples, withJson } from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { withHistory } from '../history/open.ts'
import { type HistoryFlags, withHistoryOptions } from '../history/resolve.ts'
import { isoTime } from '../history/rows.ts'
import { clockTime } from '../output/moments.ts'
import { jsonText } from '../output/output.ts'
import { printable } from '../output/printable.ts'
import type { Paint } from '../output/style.ts'
import { pause } from '../pause.ts'
import { untilToldToEnd } from '../signals.ts'

interface LogsFlags extends HistoryFlags, JsonFlag {
  readonly shard?: number
  readonly run?: string
  readonly follow?: boolean
}

/** The maximum number of runs to read: those of one fire time, or concurrent ones. */
const mostRuns = 200
/** The polling interval in milliseconds: workers write about every second. */
const interval = 500

export function addLogsCommand(program: Command, cli: Cli): void {
  const command = program
    .command('logs')
    .summary('print the output of the last run of a job')
    .description(
      'Prints the logger or script output of the last run of a job, for all shards or one.',
    )
    .argument('<job>', 'the name of the job')
    .option('--shard <number>', 'only this shard', wholeNumber)
    .option('--run <id>', 'the output of this run')
    .option('-f, --follow', 'keep printing new output until Ctrl-C')
    .action((jobName: string, flags: LogsFlags) => showLogs(cli, jobName, flags))
  withExamples(withJson(withHistoryOptions(command)), [
    ['elasticjob logs sync-orders', 'the last run of every shard'],
    ['elasticjob logs sync-orders --shard 2 --follow', 'follow one shard'],
    ['elasticjob logs sync-orders --run TgF0IqGN9VQhMZQk', 'one run'],
  ])
}

async function showLogs(cli: Cli, jobName: string, flags: LogsFlags): Promise<void> {
  await withHistory(cli, flags, async (history) => {
    const view = new LogView(cli, history, flags.json === true)
    const first = await firstRuns(history, jobName, flags)
    if (first.length === 0 && flags.follow !== true) throw notFound(jobName, flags)
    await view.show(first)
    if (flags.follow === true) await follow(cli, history, jobName, flags, view, first)
  })
}

/** The named run, or all runs of the last fire time. */
async function firstRuns(
  history: HistoryStore,
  jobName: string,
  flags: LogsFlags,
): Promise<readonly Execution[]> {
  if (flags.run !== undefined) {
    const found = await history.run(flags.run)
    return found?.execution.jobName === jobName ? [found.execution] : []
  }
  const { rows } = await history.executions(filterOf(jobName, flags), { limit: mostRuns })
  const last = rows[0]?.details?.fireTime
  // Runs of Java have no log, and their fire time is unknown.
  const ofLast = rows.filter(({ details }) => details !== undefined && details.fireTime === last)
  return ofLast.length > 0 ? ofLast.toReversed() : rows.slice(0, 1)
}

async function follow(
  { clock }: Cli,
  history: HistoryStore,
  jobName: string,
  flags: LogsFlags,
  view: LogView,
  first: readonly Execution[],
): Promise<void> {
  const end = new AbortController()
  void untilToldToEnd().then(() => end.abort())
  const from = Math.min(clock.now(), ...first.map(({ startTime }) => startTime))
  const named = flags.run
  while (!end.signal.aborted) {
    await pause(clock, interval, end.signal)
    if (end.signal.aborted) return
    const runs =
      named === undefined
        ? (await history.executions({ ...filterOf(jobName, flags), from }, { limit: mostRuns }))
            .rows
        : await firstRuns(history, jobName, flags)
    await view.show(runs.toReversed())
    // The named run has ended, so there will be no more output.
    if (named !== undefined && runs.every((run) => view.isDone(run.id))) return
  }
}

function filterOf(
  jobName: string,
  { shard }: LogsFlags,
): { jobName: string; shardingItem?: number } {
  return { jobName, ...(shard === undefined ? {} : { shardingItem: shard }) }
}

function notFound(jobName: string, { shard, run }: LogsFlags): CommandError {
  const what =
    run === undefined
      ? `no run of ${shard === undefined ? '' : `shard ${shard} of `}job '${jobName}'`
      : `no run "${run}" of job '${jobName}'`
  return new CommandError('CLI_NOT_FOUND', `${what} is recorded`)
}

/** Prints each log chunk once. */
class LogView {
  readonly #cli: Cli
  readonly #history: HistoryStore
  readonly #json: boolean
  /** The last printed chunk of each run. */
  readonly #shown = new Map<string, number>()
  readonly #done = new Set<string>()

  constructor(cli: Cli, history: HistoryStore, json: boolean) {
    this.#cli = cli
    this.#history = history
    this.#json = json
  }

  isDone(runId: string): boolean {
    return this.#done.has(runId)
  }

  async show(runs: readonly Execution[]): Promise<void> {
    for (const run of runs) if (!this.#done.has(run.id)) await this.#showRun(run)
  }

  async #showRun(run: Execution): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const after = this.#shown.get(run.id)
      const log = await this.#history.log(run.id, after === undefined ? {} : { after })
      for (const piece of log.chunks) this.#print(run, piece)
      const last = log.chunks.at(-1)
      if (last !== undefined) this.#shown.set(run.id, last.sequence)
      hasMore = log.hasMore && last !== undefined
    }
    // The end of a run is written after its last line, or with it.
    if (run.outcome !== 'running') this.#done.add(run.id)
  }

  #print(run: Execution, { time, stream, text }: LogChunk): void {
    const { output } = this.#cli
    const { style } = output
    const { jobName, shardingItem, id } = run
    for (const line of text.split('\n')) {
      if (this.#json) {
        const entry = { time: isoTime(time), jobName, shardingItem, runId: id, stream, line }
        output.line(jsonText(entry))
      } else {
        const paint: Paint = stream === 'error' || stream === 'stderr' ? style.bad : (same) => same
        const place = style.faint(`${clockTime(time)} ${shardingItem}`)
        output.line(`${place}  ${paint(printable(line))}`)
      }
    }
  }
}
