/** `elasticjob cron`: explains an expression, without a registry. */
import { type Cron, parseCron } from '@elasticjob/core/cron'
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

/** The maximum number of fire times to show: each needs a search. */
const mostFires = 1000

export function addCronCommand(program: Command, cli: Cli): void {
  const command = program
    .command('cron')
    .summary('explain a cron expression and list its next fire times')
    .description(
      'Explains a Quartz cron expression and lists its next fire times. Needs no registry.',
    )
    .argument('<expression>', "six or seven fields in quotes, for example '0 0 12 * * ?'")
    .option(
      '-z, --zone <name>',
      'the time zone, for example Europe/Berlin (default: of this machine)',
    )
    .option('-c, --count <number>', 'how many fire times to show', positiveNumber, 5)
    .option('--after <time>', 'start after this time, for example 2027-03-28T00:00 (default: now)')
    .option(
      '--strict',
      'fire like Quartz in an hour that occurs twice (end of daylight saving time)',
    )
    .action((expression: string, flags: CronFlags) => showCron(cli, expression, flags))
  withExamples(withJson(command), [
    ["elasticjob cron '0/10 * * * * ?'", 'every 10 seconds'],
    ["elasticjob cron '0 30 2 * * ?' --zone Europe/Berlin", 'across daylight saving time changes'],
    ["elasticjob cron '0 0 9 ? * 2#1' --json", 'as JSON'],
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
    ['Meaning', cron.describe()],
    ['Zone', cron.timeZone],
  ])
  output.line()
  if (fires.length === 0) output.line('The expression has no further fire time.')
  else showFires(cron, fires)

  function showFires({ timeZone: zone }: Cron, times: readonly Date[]): void {
    output.table(
      [
        { title: 'FIRE TIME', cell: (fire: Date) => dateTime(fire.getTime(), zone) },
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
      `--after: "${text}" is not a valid time; write it as 2027-03-28T00:00`,
    )
  }
  return time
}
