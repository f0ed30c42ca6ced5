/** `elasticjob doctor`: explains why a job does not run. */
import { findingOfConnection } from '@elasticjob/core/internal'
import type { Diagnosis, Severity } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { count } from '../output/count.ts'
import { inEnglish } from '../output/in-english.ts'
import { printable } from '../output/printable.ts'
import type { Paint, Style } from '../output/style.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

type DoctorFlags = RegistryFlags & JsonFlag

export function addDoctorCommand(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .summary('explain why a job does not run, and what to do')
    .description(
      'Checks everything that can prevent a job, or all jobs, from running, and prints each cause with its remedy.\n' +
        'The most severe cause comes first. The exit code is 1 if there is any.',
    )
    .argument('[job]', 'the name of the job (default: all jobs)')
    .action((job: string | undefined, flags: DoctorFlags) => examine(cli, job, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob doctor sync-orders', ''],
    ['elasticjob doctor || mail -s "jobs" ops@example.org < /dev/null', 'all jobs, every hour'],
    ["elasticjob doctor --json | jq -r '.[].findings[].cause'", ''],
  ])
}

async function examine(cli: Cli, job: string | undefined, flags: DoctorFlags): Promise<void> {
  const { output } = cli
  const diagnoses = await withOperations(cli, flags, async (operations) =>
    job === undefined ? operations.diagnoseAll() : [await operations.diagnose(job)],
  ).catch((error: unknown) => {
    if (flags.json === true) tellOfConnection(cli, job, error)
    throw error
  })
  if (flags.json === true) output.json(diagnoses.map(asJson))
  else for (const diagnosis of diagnoses) show(cli, diagnosis)
  judge(diagnoses)
}

function show({ output }: Cli, diagnosis: Diagnosis): void {
  const { style } = output
  const { jobName = '', verdict, healthy, findings } = diagnosis
  if (healthy) output.line(`${style.good(printable(jobName))}: ${printable(verdict)}`)
  else if (isAbsent(diagnosis)) output.line('There is nothing to check:')
  else output.line(`${style.bad(printable(jobName))} has problems:`)
  for (const { severity, what, remedy } of findings) {
    output.line(`  ${paintOf(severity, style)(severity.padEnd(7))}  ${printable(what)}`)
    output.line(`  ${' '.repeat(7)}  ${style.faint('→')} ${printable(remedy)}`)
  }
}

function isAbsent({ findings }: Diagnosis): boolean {
  const cause = findings[0]?.cause
  return cause === 'job-unknown' || cause === 'namespace-unknown'
}

function paintOf(severity: Severity, style: Style): Paint {
  if (severity === 'error') return style.bad
  return severity === 'warning' ? style.doubtful : style.faint
}

/** A script reads the exit code. */
function judge(diagnoses: readonly Diagnosis[]): void {
  const ill = diagnoses.filter(({ healthy }) => !healthy)
  const [first] = ill
  if (first === undefined) return
  if (isAbsent(first)) throw new CommandError('CLI_NOT_FOUND', 'nothing was checked')
  throw new CommandError(
    'CLI_FAILED',
    `${ill.length} of ${count(diagnoses.length, 'job')} ${ill.length === 1 ? 'has' : 'have'} problems`,
  )
}

/** An unreachable registry is a diagnosis as well. */
function tellOfConnection({ output }: Cli, jobName: string | undefined, error: unknown): void {
  const reason = error instanceof CommandError ? error.cause : error
  const finding = findingOfConnection(reason)
  if (finding === undefined) return
  output.json([{ jobName, verdict: finding.what, healthy: false, findings: [inEnglish(finding)] }])
}

function asJson(diagnosis: Diagnosis): object {
  return { ...inEnglish(diagnosis), findings: diagnosis.findings.map(inEnglish) }
}
