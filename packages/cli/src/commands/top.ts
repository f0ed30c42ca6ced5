/** `elasticjob top`: watches jobs, shards and instances. */
import type { Operations } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  positiveNumber,
  withExamples,
  withJson,
  withRegistry,
} from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { frameLines } from '../live/frame.ts'
import { onLeaveKey } from '../live/keys.ts'
import { lettersOf } from '../live/letters.ts'
import { Screen } from '../live/screen.ts'
import { readSnapshot, type Snapshot } from '../live/snapshot.ts'
import { clockTime } from '../output/moments.ts'
import { jsonText } from '../output/output.ts'
import { pause } from '../pause.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'
import { untilToldToEnd } from '../signals.ts'

interface TopFlags extends RegistryFlags, JsonFlag {
  readonly interval: number
  readonly count?: number
}

/** The maximum number of jobs shown without a screen. */
const mostJobs = 500

export function addTopCommand(program: Command, cli: Cli): void {
  const command = program
    .command('top')
    .summary('watch jobs, shards and instances live')
    .description(
      'Shows jobs, shards and instances live, until q or Ctrl-C.\n' +
        'Without a terminal it prints one snapshot after the other; with --json, one line each.',
    )
    .argument('[job...]', 'only these jobs')
    .option('-i, --interval <seconds>', 'the refresh interval', positiveNumber, 1)
    .option('-c, --count <number>', 'end after this many snapshots', positiveNumber)
    .action((jobs: readonly string[], flags: TopFlags) => top(cli, jobs, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob top', 'all jobs, every second'],
    ['elasticjob top sync-orders --interval 5', 'one job, every 5 seconds'],
    ['elasticjob top --count 1 --json', 'one snapshot as JSON'],
  ])
}

async function top(cli: Cli, wanted: readonly string[], flags: TopFlags): Promise<void> {
  const { terminal, clock } = cli
  const isScreen = terminal.isScreen && flags.json !== true
  const end = new AbortController()
  const leave = (): void => end.abort()
  const view = isScreen ? screenView(cli) : plainView(cli, flags)
  const releaseKeys = isScreen ? onLeaveKey(terminal, leave) : () => {}
  void untilToldToEnd().then(leave)
  const progress = { left: flags.count ?? Infinity, hasBegun: false }
  const interval = flags.interval * 1000
  try {
    while (progress.left > 0 && !end.signal.aborted) {
      try {
        await withOperations(cli, flags, async (operations) => {
          while (progress.left > 0 && !end.signal.aborted) {
            view.show(await look(cli, operations, wanted, isScreen))
            progress.hasBegun = true
            progress.left -= 1
            if (progress.left > 0) await pause(clock, interval, end.signal)
          }
        })
      } catch (error) {
        // A person at a screen waits for the reconnect; a program gets the error.
        if (!isScreen || !progress.hasBegun || !isAway(error)) throw error
        view.away()
        await pause(clock, interval, end.signal)
      }
    }
  } finally {
    view.close()
    releaseKeys()
  }
}

function isAway(error: unknown): boolean {
  return (
    error instanceof CommandError &&
    (error.code === 'CLI_REGISTRY_LOST' || error.code === 'CLI_REGISTRY_UNREACHABLE')
  )
}

function look(
  { terminal, clock }: Cli,
  operations: Operations,
  wanted: readonly string[],
  isScreen: boolean,
): Promise<Snapshot> {
  // The title, the heads of two tables, and some instances need room as well.
  const limit = isScreen ? Math.max(1, terminal.rows - 10) : mostJobs
  return readSnapshot(operations, { wanted, limit, time: new Date(clock.now()) })
}

interface View {
  show(snapshot: Snapshot): void
  /** The registry does not answer. */
  away(): void
  close(): void
}

function screenView({ terminal, output, clock }: Cli): View {
  const screen = new Screen(terminal)
  const { style } = output
  const nameOf = lettersOf()
  const foot = ['', style.faint('Press q to quit')]
  let lines: readonly string[] = []
  screen.open()
  return {
    show(snapshot) {
      lines = frameLines(snapshot, { nameOf, style, width: terminal.columns })
      screen.draw([...lines, ...foot])
    },
    away() {
      const title = `${clockTime(clock.now())}  the registry does not answer; last known state:`
      screen.draw([style.bad(title), ...lines, ...foot])
    },
    close: () => screen.close(),
  }
}

function plainView({ output }: Cli, { json }: JsonFlag): View {
  const nameOf = lettersOf()
  return {
    show(snapshot) {
      if (json === true) output.line(jsonText(snapshot))
      else {
        const lines = frameLines(snapshot, { nameOf, style: output.style, width: Infinity })
        for (const line of [...lines, '']) output.line(line)
      }
    },
    away: () => {},
    close: () => {},
  }
}
