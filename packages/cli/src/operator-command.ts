/** What the commands of an operator have in common: whom they are for, the question, what came of it. */
import type { OperationResult, Operations, Scope } from '@elasticjob/core'
import type { Command } from 'commander'

import type { Cli } from './cli.ts'
import { type JsonFlag, withJson, withRegistry, withYes, type YesFlag } from './command-options.ts'
import { confirmed } from './confirm.ts'
import { CommandError } from './errors.ts'
import { inEnglish } from './output/in-english.ts'
import { printable } from './output/printable.ts'
import type { Paint } from './output/style.ts'
import { withOperations } from './registry/open.ts'
import type { RegistryFlags } from './registry/resolve.ts'

export interface OperatorFlags extends RegistryFlags, JsonFlag, YesFlag {
  readonly server?: string
}

interface OperatorDeed<Flags> {
  /** Throws if what is asked for cannot be; before anybody is asked anything. */
  readonly check?: (scope: Scope, flags: Flags) => void
  /** What will be lost, to be asked about; undefined for nothing. */
  readonly harm?: (operations: Operations, scope: Scope, flags: Flags) => Promise<string>
  readonly deed: (operations: Operations, scope: Scope, flags: Flags) => Promise<OperationResult>
}

/** A command for a job, for a server, or for a job on a server. */
export function asOperatorCommand<Flags extends OperatorFlags>(
  command: Command,
  cli: Cli,
  { check, harm, deed }: OperatorDeed<Flags>,
): Command {
  command
    .argument('[job]', 'the name of the job; without it, --server and all jobs of that server')
    .option('--server <address>', 'on this server alone')
    .action((job: string | undefined, flags: Flags) => {
      const scope = scopeOf(job, flags.server)
      check?.(scope, flags)
      return withOperations(cli, flags, async (operations) => {
        if (harm !== undefined && flags.yes !== true) {
          await confirmed(cli.terminal, await harm(operations, scope, flags), flags)
        }
        showResult(cli, await deed(operations, scope, flags), flags)
      })
    })
  return withJson(withRegistry(harm === undefined ? command : withYes(command)))
}

function scopeOf(job: string | undefined, server: string | undefined): Scope {
  if (job !== undefined) return { job, server }
  if (server !== undefined) return { server }
  throw new CommandError('CLI_USAGE', 'whom it is for is missing: give a job, --server, or both')
}

/** `job sync-orders on server 10.0.0.1` */
export function scopeWords({ job, server }: Scope): string {
  if (job === undefined) return `every job on server ${server}`
  return server === undefined ? `job ${job}` : `job ${job} on server ${server}`
}

/** Says what is different now, and what is not; what went wrong makes the command fail. */
export function showResult({ output }: Cli, result: OperationResult, { json }: JsonFlag): void {
  const { style } = output
  const { done, unchanged, skipped, failed } = result
  if (json === true) {
    output.json({
      ...result,
      done: done.map(inEnglish),
      unchanged: unchanged.map(inEnglish),
      skipped: skipped.map(inEnglish),
      failed: failed.map(inEnglish),
    })
  } else {
    const tell = (word: string, paint: Paint, text: string): void =>
      output.line(`${paint(word.padEnd(7))}  ${printable(text)}`)
    for (const { text } of done) tell('done', style.good, text)
    for (const { text } of unchanged) tell('already', style.faint, text)
    for (const { reason } of skipped) tell('skipped', style.doubtful, reason)
    for (const { jobName, reason } of failed) tell('failed', style.bad, `${jobName}: ${reason}`)
  }
  if (failed.length > 0) {
    throw new CommandError(
      'CLI_FAILED',
      `${failed.length} of ${done.length + failed.length} failed`,
    )
  }
  if (done.length + unchanged.length === 0) {
    const why = skipped.length === 0 ? 'there was nothing to do it to' : 'everything was skipped'
    throw new CommandError('CLI_REFUSED', `nothing was done: ${why}`)
  }
}
