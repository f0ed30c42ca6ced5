/** `elasticjob trigger`: a job runs now. */
import type { JobDetail, Operations, Round, TriggerRequest } from '@elasticjob/core'
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
  readonly item?: readonly number[]
  readonly instance?: readonly string[]
  readonly server?: readonly string[]
  readonly failed?: boolean
  readonly wait?: number
}

/** How often it is looked whether a round is complete, in milliseconds. */
const lookEvery = 250

export function addTriggerCommand(program: Command, cli: Cli): void {
  const command = program
    .command('trigger')
    .summary('run a job now: all items, or some')
    .description(
      'Runs the items of a job now, each once, wherever it is: a round. While one runs, the next waits for it.',
    )
    .argument('<job>', 'the name of the job')
    .option('-p, --parameter <text>', "in place of the job's own parameter, for this round")
    .option('--item <numbers>', 'these items alone, such as 0,3', listOf(wholeNumber))
    .option('--instance <ids>', 'the items of these instances alone', listOf(String))
    .option('--server <addresses>', 'the items of these servers alone', listOf(String))
    .option('--failed', 'the items alone whose last run did not end well')
    .option('--wait <seconds>', 'wait until the round is complete', positiveNumber)
    .action((jobName: string, flags: TriggerFlags) => trigger(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob trigger sync-orders', 'all items'],
    ['elasticjob trigger report --parameter 2026-11 --wait 600', 'another month, and wait for it'],
    ['elasticjob trigger sync-orders --failed', 'make up for what went wrong'],
  ])
}

async function trigger(cli: Cli, jobName: string, flags: TriggerFlags): Promise<void> {
  await withOperations(cli, flags, async (operations) => {
    const { parameter, item: items, instance: instances, server: servers, failed } = flags
    const request: TriggerRequest = { parameter, items, instances, servers, failed }
    const result = await operations.trigger(jobName, request)
    if (flags.wait === undefined) {
      showResult(cli, result, flags)
      return
    }
    if (flags.json !== true) showResult(cli, result, flags)
    const { round } = result
    if (round === undefined) {
      throw new CommandError(
        'CLI_REFUSED',
        `Java instances run ${jobName}: they do not say when a trigger is done`,
      )
    }
    const job = await roundCompleted(cli, operations, jobName, round, flags.wait)
    showRound(cli, job, round, flags)
  })
}

/** Resolves with the job as it is when the round is complete. */
async function roundCompleted(
  { clock }: Cli,
  operations: Operations,
  jobName: string,
  { id }: Round,
  seconds: number,
): Promise<JobDetail> {
  const deadline = clock.monotonic() + seconds * 1000
  for (;;) {
    const job = await operations.job(jobName)
    const { running, pending } = job.rounds
    if (running?.id !== id && pending?.id !== id) return job
    if (clock.monotonic() >= deadline) {
      throw new CommandError(
        'CLI_FAILED',
        `round ${id} of ${jobName} is not complete after ${duration(seconds * 1000)}; it goes on`,
      )
    }
    await pause(clock, lookEvery)
  }
}

function showRound({ output, clock }: Cli, job: JobDetail, round: Round, { json }: JsonFlag): void {
  const items = job.shards.filter(({ run }) => run?.round === round.id)
  if (json === true) output.json({ round, items: items.map(inEnglish) })
  else {
    output.line()
    output.table(shardColumns(output.style, clock.now()), items)
  }
  const failures = items.filter(({ run }) => run?.outcome !== 'success')
  if (failures.length > 0) {
    throw new CommandError(
      'CLI_FAILED',
      `${failures.length} of ${items.length} items did not end well`,
    )
  }
}
