/** `elasticjob job`: all about one job. */
import { type JobDetail, type JobInstance, parseCron } from '@elasticjob/core'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { inEnglish } from '../output/in-english.ts'
import { fireText, scheduleWords } from '../output/schedule.ts'
import { instanceName, jobWord } from '../output/states.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'
import { shardColumns } from './shards.ts'

type JobFlags = RegistryFlags & JsonFlag

/** How many fire times are shown. */
const shownFires = 3

export function addJobCommand(program: Command, cli: Cli): void {
  const command = program
    .command('job')
    .summary('show a job: configuration, items and their owners, next fires')
    .description(
      'Shows a job: its state and configuration, who runs which item, when it fires next.',
    )
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: JobFlags) => showJob(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob job sync-orders', ''],
    ["elasticjob job sync-orders --json | jq '.items[] | {item, owner, state}'", ''],
  ])
}

async function showJob(cli: Cli, jobName: string, flags: JobFlags): Promise<void> {
  const { output, clock } = cli
  await withOperations(cli, flags, async (operations) => {
    const job = await operations.job(jobName)
    const nextFires = nextFiresOf(job, clock.now())
    if (flags.json === true) {
      output.json({ ...inEnglish(job), shards: job.shards.map(inEnglish), nextFires })
      return
    }
    output.properties(properties(job, nextFires, clock.now()))
    output.line()
    output.table(shardColumns(output.style, clock.now()), job.shards)
    output.line()
    showInstances(cli, job.instances)
  })
}

function properties(
  job: JobDetail,
  nextFires: readonly Date[],
  now: number,
): readonly (readonly [string, string])[] {
  const { configuration, leader, resharding, rounds } = job
  const entries: [string, string | undefined][] = [
    ['Job', job.jobName],
    ['Status', job.problem === undefined ? jobWord(job) : `${jobWord(job)}: ${job.problem}`],
    ['Description', job.description],
    ['Schedule', scheduleText(job)],
    ['Next fires', nextFires.map((fire) => fireText(fire, now)).join(', ') || 'none'],
    ['Leader', leader === undefined ? 'none' : instanceName(leader)],
    ['Resharding', resharding],
    ['Paused on', job.paused ? 'all servers' : job.pausedServers.join(', ')],
    ['Round', rounds.running === undefined ? undefined : `${rounds.running.id} runs`],
    ['Parameter', configuration?.jobParameter],
    ['Settings', configuration === undefined ? undefined : settingsOf(configuration)],
    ...Object.entries(configuration?.props ?? {}).map(([key, value]): [string, string] => [
      `  ${key}`,
      value,
    ]),
  ]
  return entries.filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
}

function scheduleText({ cron, timeZone }: JobDetail): string {
  const words = scheduleWords(cron, timeZone)
  return cron === undefined || cron === words ? words : `${cron} (${words})`
}

/** What of the configuration makes a difference when something goes wrong. */
function settingsOf(configuration: NonNullable<JobDetail['configuration']>): string {
  const { failover, misfire, monitorExecution } = configuration
  const flag = (name: string, isOn: boolean): string => `${name} ${isOn ? 'on' : 'off'}`
  return [
    flag('failover', failover),
    flag('misfire', misfire),
    flag('monitorExecution', monitorExecution),
    configuration.jobShardingStrategyType,
    configuration.jobErrorHandlerType,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

/** The times after the next one, too: none if there is no next one. */
function nextFiresOf({ nextFireTime, cron, timeZone }: JobDetail, now: number): readonly Date[] {
  if (nextFireTime === undefined || cron === undefined) return []
  try {
    return parseCron(cron, { timeZone }).preview(new Date(now), shownFires)
  } catch {
    return [nextFireTime]
  }
}

function showInstances({ output }: Cli, instances: readonly JobInstance[]): void {
  if (instances.length === 0) {
    output.line('No instance takes part.')
    return
  }
  output.table(
    [
      { title: 'INSTANCE', cell: ({ instance }: JobInstance) => instance },
      { title: 'OWNS', cell: ({ items }) => items.join(' ') || '-' },
      { title: 'RUNS', cell: ({ running }) => running.join(' ') || '-' },
      {
        title: '',
        cell: ({ leads, leaving, java }) =>
          [leads ? 'leads' : '', leaving ? 'leaves' : '', java ? 'Java' : '']
            .filter((word) => word !== '')
            .join(', '),
      },
    ],
    instances,
  )
}
