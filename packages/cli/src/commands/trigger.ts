/** `elasticjob trigger`: runs a job now. */
import type { ManualRun } from '@elasticjob/core'
import type { JobDetail, Operations, TriggerRequest } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  listOf,
  positiveNumber,
  wholeNumber,
  withExamples,
  withJson,
  withRegistry,
} from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { showResult } from '../operator-command.ts'
import { inEnglish } from '../output/in-english.ts'
import { duration } from '../output/moments.ts'
import { pause } from '../pause.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'
import { shardColumns } from './shards.ts'

interface TriggerFlags extends RegistryFlags, JsonFlag {
  readonly parameter?: string
  readonly shard?: readonly number[]
  readonly instance?: readonly string[]
  readonly server?: readonly string[]
  readonly failed?: boolean
  readonly wait?: number
}

/** The polling interval for the completion of a manual run, in milliseconds. */
const lookEvery = 250

export function addTriggerCommand(program: Command, cli: Cli): void {
  const command = program
    .command('trigger')
    .summary('run all shards of a job now, or some of them')
    .description(
      'Runs the shards of a job now, each once, on its owner (a manual run). Further manual runs wait for it.',
    )
    .argument('<job>', 'the name of the job')
    .option('-p, --parameter <text>', "replaces the job's own parameter for this run")
    .option('--shard <numbers>', 'only these shards, for example 0,3', listOf(wholeNumber))
    .option('--instance <ids>', 'only shards of these instances', listOf(String))
    .option('--server <addresses>', 'only shards of these servers', listOf(String))
    .option('--failed', 'only shards whose last run did not succeed')
    .option('--wait <seconds>', 'wait until the run is complete, at most this long', positiveNumber)
    .action((jobName: string, flags: TriggerFlags) => trigger(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob trigger sync-orders', 'all shards'],
    [
      'elasticjob trigger report --parameter 2026-11 --wait 600',
      'with another parameter, and wait for completion',
    ],
    ['elasticjob trigger sync-orders --failed', 'repeat failed shards'],
  ])
}

async function trigger(cli: Cli, jobName: string, flags: TriggerFlags): Promise<void> {
  await withOperations(cli, flags, async (operations) => {
    const { parameter, shard: shards, instance: instances, server: servers, failed } = flags
    const request: TriggerRequest = { parameter, shards, instances, servers, failed }
    const result = await operations.trigger(jobName, request)
    if (flags.wait === undefined) {
      showResult(cli, result, flags)
      return
    }
    if (flags.json !== true) showResult(cli, result, flags)
    const { manualRun } = result
    if (manualRun === undefined) {
      throw new CommandError(
        'CLI_REFUSED',
        `cannot wait: job '${jobName}' has Java instances, which do not report when a manual run is complete`,
      )
    }
    const job = await triggerCompleted(cli, operations, jobName, manualRun, flags.wait)
    showManualRun(cli, job, manualRun, flags)
  })
}

/** Resolves with the job once the manual run is complete. */
async function triggerCompleted(
  { clock }: Cli,
  operations: Operations,
  jobName: string,
  { id }: ManualRun,
  seconds: number,
): Promise<JobDetail> {
  const deadline = clock.monotonic() + seconds * 1000
  for (;;) {
    const job = await operations.job(jobName)
    const { running, pending } = job.manualRuns
    if (running?.id !== id && pending?.id !== id) return job
    if (clock.monotonic() >= deadline) {
      throw new CommandError(
        'CLI_FAILED',
        `manual run ${id} of job '${jobName}' is not complete after ${duration(seconds * 1000)}; it continues`,
      )
    }
    await pause(clock, lookEvery)
  }
}

function showManualRun(
  { output, clock }: Cli,
  job: JobDetail,
  manualRun: ManualRun,
  { json }: JsonFlag,
): void {
  const shards = job.shards.filter(({ run }) => run?.manualRun === manualRun.id)
  if (json === true) output.json({ manualRun, shards: shards.map(inEnglish) })
  else {
    output.line()
    output.table(shardColumns(output.style, clock.now()), shards)
  }
  const failures = shards.filter(({ run }) => run?.outcome !== 'success')
  if (failures.length > 0) {
    throw new CommandError(
      'CLI_FAILED',
      `${failures.length} of ${shards.length} shards did not succeed`,
    )
  }
}
