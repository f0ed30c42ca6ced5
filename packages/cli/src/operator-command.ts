/** Target, confirmation and result, which the operator commands share. */
import type { OperationResult, Operations, Scope } from '@elasticjob/core/operations'
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

interface OperatorAction<Flags> {
  /** Throws if the request is invalid, before any question. */
  readonly check?: (scope: Scope, flags: Flags) => void
  /** The confirmation text about what will be lost; undefined if nothing. */
  readonly harm?: (operations: Operations, scope: Scope, flags: Flags) => Promise<string>
  readonly action: (operations: Operations, scope: Scope, flags: Flags) => Promise<OperationResult>
}

/** A command for a job, for a server, or for a job on a server. */
export function asOperatorCommand<Flags extends OperatorFlags>(
  command: Command,
  cli: Cli,
  { check, harm, action }: OperatorAction<Flags>,
): Command {
  command
    .argument('[job]', 'the name of the job (default: all jobs of --server)')
    .option('--server <address>', 'only on this server')
    .action((job: string | undefined, flags: Flags) => {
      const scope = scopeOf(job, flags.server)
      check?.(scope, flags)
      return withOperations(cli, flags, async (operations) => {
        if (harm !== undefined && flags.yes !== true) {
          await confirmed(cli.terminal, await harm(operations, scope, flags), flags)
        }
        showResult(cli, await action(operations, scope, flags), flags)
      })
    })
  return withJson(withRegistry(harm === undefined ? command : withYes(command)))
}

function scopeOf(job: string | undefined, server: string | undefined): Scope {
  if (job !== undefined) return { job, server }
  if (server !== undefined) return { server }
  throw new CommandError('CLI_USAGE', 'missing target: pass a job name, --server, or both')
}

/** `job 'sync-orders' on server 10.0.0.1` */
export function scopeText({ job, server }: Scope): string {
  if (job === undefined) return `every job on server ${server}`
  return server === undefined ? `job '${job}'` : `job '${job}' on server ${server}`
}

/** Prints what changed and what was skipped; a failure makes the command fail. */
export function showResult(
  { output }: Cli,
  result: OperationResult,
  { json }: JsonFlag,
  doneLabel: 'done' | 'planned' = 'done',
): void {
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
    const tell = (label: string, paint: Paint, text: string): void =>
      output.line(`${paint(label.padEnd(7))}  ${printable(text)}`)
    for (const { text } of done) tell(doneLabel, style.good, text)
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
    const why = skipped.length === 0 ? 'no job matches' : 'everything was skipped'
    throw new CommandError('CLI_REFUSED', `nothing was changed: ${why}`)
  }
}
