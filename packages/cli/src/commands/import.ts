/** `elasticjob import`: converts configurations of Elastic-Job 1.x and 2.x. */
import { isElasticJobError } from '@elasticjob/core'
import { maskYaml } from '@elasticjob/core/internal'
import type { ImportOptions, ImportResult, Omission, Operations } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  withExamples,
  withJson,
  withRegistry,
  withYes,
  type YesFlag,
} from '../command-options.ts'
import { confirmed } from '../confirm.ts'
import { CommandError } from '../errors.ts'
import { count } from '../output/count.ts'
import { printable, printableLines } from '../output/printable.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface ImportFlags extends RegistryFlags, JsonFlag, YesFlag {
  readonly dryRun?: boolean
  readonly removeOld?: boolean
}

/** The outcome; a failed job does not prevent the others. */
interface Imports {
  readonly results: readonly ImportResult[]
  readonly failed: readonly Omission[]
}

export function addImportCommand(program: Command, cli: Cli): void {
  const command = program
    .command('import')
    .summary('convert configurations of Elastic-Job 1.x and 2.x to the 3.x format')
    .description(
      'Converts the configurations of Elastic-Job 1.x and 2.x to the 3.x format, and reports settings without a counterpart.\n' +
        'Stop all instances of the old version first: a job with a live old instance is refused.',
    )
    .argument('[job...]', 'the names of jobs (default: all jobs that need it)')
    .option('--dry-run', 'print the result without changing anything')
    .option('--remove-old', 'also remove the nodes that only 1.x uses')
    .action((jobs: readonly string[], flags: ImportFlags) => importJobs(cli, jobs, flags))
  withExamples(withJson(withRegistry(withYes(command))), [
    ['elasticjob import --dry-run', 'preview all jobs'],
    ['elasticjob import sync-orders', 'one job'],
    ['elasticjob import --remove-old --yes', 'all jobs, and remove the nodes of 1.x'],
  ])
}

async function importJobs(cli: Cli, named: readonly string[], flags: ImportFlags): Promise<void> {
  const { dryRun = false, removeOld: removeOldNodes = false } = flags
  await withOperations(cli, flags, async (operations) => {
    const jobNames = named.length > 0 ? [...new Set(named)] : await inNeed(operations, flags)
    if (!dryRun && removeOldNodes && flags.yes !== true) {
      const { results } = await importEach(operations, jobNames, { dryRun: true, removeOldNodes })
      const harm = harmOf(results)
      if (harm !== undefined) await confirmed(cli.terminal, harm, flags)
    }
    const imports = await importEach(operations, jobNames, { dryRun, removeOldNodes })
    if (flags.json === true) cli.output.json(imports)
    else if (jobNames.length > 0) show(cli, imports, dryRun)
    else cli.output.note(`No job in namespace '${operations.namespace}' needs an import.`)
    judge(imports, dryRun)
  })
}

async function inNeed(operations: Operations, { removeOld }: ImportFlags): Promise<string[]> {
  const jobs = await operations.legacyJobs()
  return jobs
    .filter(({ form }) => form !== 'today' || removeOld === true)
    .map(({ jobName }) => jobName)
}

/** With a single job, failures are thrown. */
async function importEach(
  operations: Operations,
  jobNames: readonly string[],
  options: ImportOptions,
): Promise<Imports> {
  const results: ImportResult[] = []
  const failed: Omission[] = []
  for (const jobName of jobNames) {
    try {
      const result = await operations.importConfiguration(jobName, options)
      results.push({ ...result, yaml: maskYaml(result.yaml) })
    } catch (error) {
      const isOfRegistry = isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')
      if (jobNames.length === 1 || isOfRegistry || !(error instanceof Error)) throw error
      failed.push({ jobName, reason: error.message, error })
    }
  }
  return { results, failed }
}

function harmOf(planned: readonly ImportResult[]): string | undefined {
  const losers = planned.filter(({ removed, living }) => removed.length > 0 && living.length === 0)
  const [first] = losers
  if (first === undefined) return undefined
  const nodes = losers.reduce((sum, { removed }) => sum + removed.length, 0)
  const whose = losers.length === 1 ? `job ${first.jobName}` : count(losers.length, 'job')
  return (
    `${count(nodes, 'node')} of Elastic-Job 1.x will be deleted from ${whose}: ` +
    'you cannot go back to that version.'
  )
}

function show({ output }: Cli, { results, failed }: Imports, dryRun: boolean): void {
  const { style } = output
  if (results.length > 0) {
    output.table<ImportResult>(
      [
        { title: 'JOB', cell: ({ jobName }) => jobName },
        { title: 'FROM', cell: ({ form }) => form },
        { title: 'CLASS', cell: ({ jobClass }) => jobClass || '-' },
        { title: 'RESULT', cell: (result) => resultText(result, dryRun) },
      ],
      results,
    )
  }
  for (const { jobName, notes } of results) {
    for (const note of notes) {
      output.line(`${style.doubtful('note  ')}  ${printable(`${jobName}: ${note}`)}`)
    }
  }
  for (const { jobName, reason } of failed) {
    output.line(`${style.bad('failed')}  ${printable(`${jobName}: ${reason}`)}`)
  }
  if (!dryRun) return
  for (const { jobName, yaml } of results.filter(({ form }) => form !== 'today')) {
    output.line(`\n${style.title(`The configuration of ${printable(jobName)} would be:`)}`)
    output.line(printableLines(yaml.trimEnd()))
  }
}

function resultText(result: ImportResult, dryRun: boolean): string {
  const { form, living, removed } = result
  if (isRefused(result)) return `refused: old instances still run on ${living.join(', ')}`
  const would = dryRun ? 'would be ' : ''
  const words = [
    ...(form === 'today' ? [] : [`${would}imported`]),
    ...(removed.length === 0 ? [] : [`${count(removed.length, 'old node')} ${would}removed`]),
  ]
  return words.join(', ') || 'nothing to do'
}

/** Only in a dry run: the import itself throws an error. */
function isRefused({ form, living, removed }: ImportResult): boolean {
  return living.length > 0 && (form !== 'today' || removed.length > 0)
}

/** A dry run ends with the exit code of the import. */
function judge({ results, failed }: Imports, dryRun: boolean): void {
  const total = count(results.length + failed.length, 'job')
  if (failed.length > 0) throw new CommandError('CLI_FAILED', `${failed.length} of ${total} failed`)
  const refused = dryRun ? results.filter(isRefused).length : 0
  if (refused === 0) return
  throw new CommandError(
    'CLI_REFUSED',
    `${refused} of ${total} would be refused: stop the old version first`,
  )
}
