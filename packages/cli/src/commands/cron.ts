/** `elasticjob cron`: what an expression means, without a registry. */
import { type Cron, parseCron } from '@elasticjob/core'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, positiveNumber, withExamples, withJson } from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { dateTime, distance } from '../output/moments.ts'

interface CronFlags extends JsonFlag {
  readonly zone?: string
  readonly count: number
  readonly after?: string
  readonly strict?: boolean
}

/** How many fire times are shown at most: each costs a search, and nobody reads more. */
const mostFires = 1000

export function addCronCommand(program: Command, cli: Cli): void {
  const command = program
    .command('cron')
    .summary('say what a cron expression means, and when it fires next')
    .description(
      'Says in words what a cron expression of Quartz means, and when it fires next. Needs no registry.',
    )
    .argument('<expression>', "six or seven fields in quotes, such as '0 0 12 * * ?'")
    .option('-z, --zone <name>', 'the time zone, such as Europe/Berlin (default: of this machine)')
    .option('-c, --count <number>', 'how many fire times to show', positiveNumber, 5)
    .option('--after <time>', 'show those after this time, such as 2027-03-28T00:00 (default: now)')
    .option('--strict', 'fire as Quartz does where the clock shows an hour twice')
    .action((expression: string, flags: CronFlags) => showCron(cli, expression, flags))
  withExamples(withJson(command), [
    ["elasticjob cron '0/10 * * * * ?'", 'every 10 seconds'],
    ["elasticjob cron '0 30 2 * * ?' --zone Europe/Berlin", 'what becomes of it in summer time'],
    ["elasticjob cron '0 0 9 ? * 2#1' --json", 'for a program'],
  ])
}

function showCron({ output, clock }: Cli, expression: string, flags: CronFlags): void {
  const { zone: timeZone, strict, json } = flags
  const cron = parseCron(expression, { timeZone, strict })
  const after = flags.after === undefined ? clock.now() : momentOf(flags.after)
  const fires = cron.preview(new Date(after), Math.min(Math.floor(flags.count), mostFires))
  if (json === true) {
    output.json({ expression, timeZone: cron.timeZone, words: cron.describe(), fires })
    return
  }
  output.properties([
    ['Expression', expression],
    ['In words', cron.describe()],
    ['Zone', cron.timeZone],
  ])
  output.line()
  if (fires.length === 0) output.line('It never fires again.')
  else showFires(cron, fires)

  function showFires({ timeZone: zone }: Cron, times: readonly Date[]): void {
    output.table(
      [
        { title: 'FIRES', cell: (fire: Date) => dateTime(fire.getTime(), zone) },
        { title: 'UTC', cell: (fire: Date) => `${fire.toISOString().slice(0, 19)}Z` },
        { title: '', cell: (fire: Date) => distance(fire.getTime(), clock.now()) },
      ],
      times,
    )
  }
}

function momentOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    throw new CommandError(
      'CLI_USAGE',
      `--after: "${text}" is no time; write it as 2027-03-28T00:00`,
    )
  }
  return time
}
