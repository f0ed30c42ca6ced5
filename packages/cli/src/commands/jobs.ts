/** `elasticjob jobs`: all jobs of a namespace. */
import type { JobSummary, Namespaces } from '@elasticjob/core'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { inEnglish } from '../output/in-english.ts'
import { fireText, scheduleWords } from '../output/schedule.ts'
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
      'Lists the jobs of a namespace: how they are, how many run them, when they fire next.',
    )
    .option('-q, --quiet', 'print the names alone, one a line')
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
      for (const name of await operations.jobNames()) output.line(name)
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
      { title: 'ITEMS', align: 'right', cell: (job) => String(job.shardingTotalCount) },
      { title: 'INSTANCES', align: 'right', cell: (job) => String(job.instanceCount) },
      { title: 'NEXT FIRE', cell: (job) => fireText(job.nextFireTime, clock.now()) },
      {
        title: 'SCHEDULE',
        cell: ({ cron, timeZone, problem }) => problem ?? scheduleWords(cron, timeZone),
      },
    ],
    jobs,
  )
}

/** Nothing there is often somewhere else: the namespaces that have jobs are named. */
function emptyNamespace(namespace: string, { withJobs, unreadable }: Namespaces): string {
  const nothing = `There is no job in the namespace ${namespace}.`
  const sentences = [
    ...(withJobs.length === 0 ? [] : [`There are in: ${withJobs.join(', ')}.`]),
    ...(unreadable.length === 0 ? [] : [`Others belong to a user: ${unreadable.join(', ')}.`]),
  ]
  return [nothing, ...(sentences.length === 0 ? ['Nor in any other one.'] : sentences)].join(' ')
}
