/** `elasticjob job`: shows one job. */
import { parseCron } from '@elasticjob/core/cron'
import { maskConfiguration } from '@elasticjob/core/internal'
import type { JobDetail, JobInstance } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { inEnglish } from '../output/in-english.ts'
import { fireText, describeSchedule } from '../output/schedule.ts'
import { instanceName, jobState } from '../output/states.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'
import { shardColumns } from './shards.ts'

type JobFlags = RegistryFlags & JsonFlag

/** The number of fire times to show. */
const shownFires = 3

export function addJobCommand(program: Command, cli: Cli): void {
  const command = program
    .command('job')
    .summary('show a job: configuration, shards and their owners, next fire times')
    .description(
      'Shows the state and configuration of a job, the owner of each shard, and the next fire times.',
    )
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: JobFlags) => showJob(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob job sync-orders', ''],
    ["elasticjob job sync-orders --json | jq '.shards[] | {shard, owner, state}'", ''],
  ])
}

async function showJob(cli: Cli, jobName: string, flags: JobFlags): Promise<void> {
  const { output, clock } = cli
  await withOperations(cli, flags, async (operations) => {
    const job = await operations.job(jobName)
    const nextFires = nextFiresOf(job, clock.now())
    if (flags.json === true) {
      output.json({
        ...inEnglish(job),
        shards: job.shards.map(inEnglish),
        nextFires,
      })
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
  const { leader, resharding, manualRuns } = job
  const configuration = job.configuration && maskConfiguration(job.configuration)
  const entries: [string, string | undefined][] = [
    ['Job', job.jobName],
    ['Status', job.problem === undefined ? jobState(job) : `${jobState(job)}: ${job.problem}`],
    ['Description', job.description],
    ['Schedule', scheduleText(job)],
    ['Next fire times', nextFires.map((fire) => fireText(fire, now)).join(', ') || 'none'],
    ['Leader', leader === undefined ? 'none' : instanceName(leader)],
    ['Resharding', resharding],
    ['Paused on', job.paused ? 'all servers' : job.pausedServers.join(', ')],
    ['Clock refused', job.refusedClocks.map(refusedText).join(', ')],
    [
      'Manual run',
      manualRuns.running === undefined ? undefined : `${manualRuns.running.id} is running`,
    ],
    ['Parameter', configuration?.jobParameter],
    ['Settings', configuration === undefined ? undefined : settingsOf(configuration)],
    ...Object.entries(configuration?.props ?? {}).map(([key, value]): [string, string] => [
      `  ${key}`,
      value,
    ]),
  ]
  return entries.filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
}

/** Such an instance does not take part, so it is not listed below. */
function refusedText({ instance, difference }: JobDetail['refusedClocks'][number]): string {
  const seconds = Math.round(Math.abs(difference) / 1000)
  return `${instanceName(instance)} (${seconds} s ${difference > 0 ? 'ahead' : 'behind'})`
}

function scheduleText({ cron, timeZone }: JobDetail): string {
  const words = describeSchedule(cron, timeZone)
  return cron === undefined || cron === words ? words : `${cron} (${words})`
}

/** The settings that matter when something fails. */
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

/** The next fire time and those after it; empty if there is none. */
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
    output.line('No instance runs this job.')
    return
  }
  output.table(
    [
      { title: 'INSTANCE', cell: ({ instance }: JobInstance) => instance },
      { title: 'OWNS', cell: ({ shards }) => shards.join(' ') || '-' },
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
