/** `elasticjob jobs`: lists the jobs of a namespace. */
import type { JobSummary, Namespaces } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { inEnglish } from '../output/in-english.ts'
import { fireText, describeSchedule } from '../output/schedule.ts'
import { jobStateCell } from '../output/states.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface JobsFlags extends RegistryFlags, JsonFlag {
  readonly quiet?: boolean
}

export function addJobsCommand(program: Command, cli: Cli): void {
  const command = program
    .command('jobs')
    .summary('list the jobs of a namespace')
    .description(
      'Lists the jobs of a namespace with their status, number of instances and next fire time.',
    )
    .option('-q, --quiet', 'print only the names, one per line')
    .action((flags: JobsFlags) => listJobs(cli, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob jobs --servers 127.0.0.1:2181 --namespace shop', ''],
    ['elasticjob jobs --json | jq -r \'.[] | select(.status != "OK") | .jobName\'', ''],
  ])
}

async function listJobs(cli: Cli, flags: JobsFlags): Promise<void> {
  const { output } = cli
  await withOperations(cli, flags, async (operations) => {
    if (flags.quiet === true && flags.json !== true) {
      for (const name of await operations.jobNames()) output.text(name)
      return
    }
    const jobs = await operations.jobs()
    if (flags.json === true) output.json(jobs.map(inEnglish))
    else if (jobs.length > 0) showJobs(cli, jobs)
    else output.note(emptyNamespace(operations.namespace, await operations.namespaces()))
  })
}

function showJobs({ output, clock }: Cli, jobs: readonly JobSummary[]): void {
  const { style } = output
  output.table(
    [
      { title: 'JOB', cell: ({ jobName }) => jobName },
      { title: 'STATUS', cell: (job) => jobStateCell(job, style) },
      { title: 'SHARDS', align: 'right', cell: (job) => String(job.shardingTotalCount) },
      { title: 'INSTANCES', align: 'right', cell: (job) => String(job.instanceCount) },
      { title: 'NEXT FIRE', cell: (job) => fireText(job.nextFireTime, clock.now()) },
      {
        title: 'SCHEDULE',
        cell: ({ cron, timeZone, problem }) => problem ?? describeSchedule(cron, timeZone),
      },
    ],
    jobs,
  )
}

/** The jobs are often in another namespace: names those that have jobs. */
function emptyNamespace(namespace: string, { withJobs, unreadable }: Namespaces): string {
  const nothing = `There are no jobs in namespace '${namespace}'.`
  const messages = [
    ...(withJobs.length === 0 ? [] : [`Namespaces with jobs: ${withJobs.join(', ')}.`]),
    ...(unreadable.length === 0 ? [] : [`Namespaces that need a login: ${unreadable.join(', ')}.`]),
  ]
  return [nothing, ...(messages.length === 0 ? ['No other namespace has jobs.'] : messages)].join(
    ' ',
  )
}
