/** Converts an error into an exit code and a message. */
import { isElasticJobError, isRegistryError } from '@elasticjob/core'
import { maskText, stackOf } from '@elasticjob/core/internal'
import { CommanderError } from 'commander'

import { CommandError, type CommandErrorCode } from './errors.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { jsonText } from './output/output.ts'
import { printableLines } from './output/printable.ts'
import type { Style } from './output/style.ts'

const ownCodes: Readonly<Record<CommandErrorCode, ExitCode>> = Object.freeze({
  CLI_USAGE: exitCodes.usage,
  CLI_REGISTRY_MISSING: exitCodes.usage,
  CLI_REGISTRY_UNREACHABLE: exitCodes.unreachable,
  CLI_REGISTRY_LOST: exitCodes.unreachable,
  CLI_HISTORY_MISSING: exitCodes.usage,
  CLI_NOT_FOUND: exitCodes.notFound,
  CLI_NOT_CONFIRMED: exitCodes.refused,
  CLI_REFUSED: exitCodes.refused,
  CLI_FAILED: exitCodes.failed,
})

export function exitCodeOf(error: unknown): ExitCode {
  // Help and version are errors only to commander.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof CommandError) return ownCodes[error.code]
  if (isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')) return exitCodes.unreachable
  if (
    isElasticJobError(
      error,
      'JOB_NOT_FOUND',
      'JOB_SERVER_NOT_FOUND',
      'JOB_INSTANCE_NOT_FOUND',
      'JOB_SHARD_NOT_FOUND',
    )
  ) {
    return exitCodes.notFound
  }
  if (
    isElasticJobError(
      error,
      'JOB_CONFIGURATION_INVALID',
      'JOB_CONFIGURATION_UNREADABLE',
      'JOB_CRON_INVALID',
    )
  ) {
    return exitCodes.usage
  }
  if (
    isElasticJobError(
      error,
      'JOB_BROKEN',
      'JOB_CONFLICT',
      'JOB_SHARD_IDLE',
      'JOB_JAVA_INSTANCE',
      'JOB_NO_INSTANCE',
      'JOB_NOTHING_FAILED',
      'JOB_REMOVED',
      'JOB_TRIGGER_PENDING',
    ) ||
    isRegistryError(error, 'REGISTRY_NO_AUTH', 'REGISTRY_AUTH_FAILED')
  ) {
    return exitCodes.refused
  }
  return error instanceof Error && isOfHistory(error) ? historyCode(error) : exitCodes.failed
}

function historyCode({ code }: { readonly code: string }): ExitCode {
  if (unusableHistory.has(code)) return exitCodes.usage
  return code === 'HISTORY_UNREACHABLE' ? exitCodes.unreachable : exitCodes.failed
}

const unusableHistory: ReadonlySet<string> = new Set([
  'HISTORY_URL_INVALID',
  'HISTORY_DRIVER_MISSING',
  'HISTORY_QUERY_INVALID',
])

/** The message on standard error; JSON if the command has `--json`. */
export function failureText(
  error: unknown,
  { json, style, help }: { json: boolean; style: Style; help: string },
): string {
  const { code, message } = describe(error)
  if (json) return `${jsonText({ error: { code, message, exitCode: exitCodeOf(error) } })}\n`
  const hint = error instanceof CommanderError ? `\n${style.faint(`(${help} shows how)`)}` : ''
  return `${style.bad('error:')} ${printableLines(maskText(message))}${hint}\n`
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof CommanderError) {
    return { code: 'CLI_USAGE', message: error.message.replace(/^error: /, '') }
  }
  if (isRegistryError(error, 'REGISTRY_NO_AUTH')) {
    return {
      code: error.code,
      message:
        `access to the registry is denied (${error.message}): the nodes are protected by an ACL.\n` +
        'Set the environment variable ELASTICJOB_DIGEST=name:password.',
    }
  }
  if (error instanceof CommandError || isElasticJobError(error) || isRegistryError(error)) {
    return { code: error.code, message: error.message }
  }
  if (error instanceof Error && (isOfDataDirectory(error) || isOfHistory(error))) {
    return { code: error.code, message: error.message }
  }
  // An unexpected error: the stack shows where it comes from.
  return { code: 'CLI_FAILED', message: stackOf(error) }
}

type Coded = Error & { readonly code: string }

/** By its code: an instanceof check would load the server in every command. */
function isOfDataDirectory(error: Error & { readonly code?: unknown }): error is Coded {
  return typeof error.code === 'string' && error.code.startsWith('ZKS_')
}

/** By its code, for the same reason. */
function isOfHistory(error: Error & { readonly code?: unknown }): error is Coded {
  return typeof error.code === 'string' && error.code.startsWith('HISTORY_')
}
