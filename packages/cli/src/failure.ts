/** From an error to an exit code and to words. */
import { isElasticJobError } from '@elasticjob/core'
import { isZooKeeperError } from '@elasticjob/zookeeper'
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
  // Help and version are asked for, and are errors to commander alone.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof CommandError) return ownCodes[error.code]
  if (isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')) return exitCodes.unreachable
  if (
    isElasticJobError(
      error,
      'JOB_NOT_FOUND',
      'JOB_SERVER_NOT_FOUND',
      'JOB_INSTANCE_NOT_FOUND',
      'JOB_ITEM_NOT_FOUND',
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
      'JOB_CONFLICT',
      'JOB_ITEM_IDLE',
      'JOB_JAVA_INSTANCE',
      'JOB_NO_INSTANCE',
      'JOB_NOTHING_FAILED',
      'JOB_REMOVED',
      'JOB_TRIGGER_PENDING',
    ) ||
    isZooKeeperError(error, 'ZK_NO_AUTH', 'ZK_AUTH_FAILED')
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

/** What is said on stderr; as JSON for a program that asked for JSON. */
export function failureText(
  error: unknown,
  { json, style, help }: { json: boolean; style: Style; help: string },
): string {
  const { code, message } = describe(error)
  if (json) return `${jsonText({ error: { code, message, exitCode: exitCodeOf(error) } })}\n`
  const hint = error instanceof CommanderError ? `\n${style.faint(`(${help} shows how)`)}` : ''
  return `${style.bad('error:')} ${printableLines(message)}${hint}\n`
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof CommanderError) {
    return { code: 'CLI_USAGE', message: error.message.replace(/^error: /, '') }
  }
  if (isZooKeeperError(error, 'ZK_NO_AUTH')) {
    return {
      code: error.code,
      message:
        `the registry does not allow it (${error.message}): the nodes belong to a user.\n` +
        'Say who you are by ELASTICJOB_DIGEST=name:password in the environment.',
    }
  }
  if (error instanceof CommandError || isElasticJobError(error) || isZooKeeperError(error)) {
    return { code: error.code, message: error.message }
  }
  if (error instanceof Error && (isOfDataDirectory(error) || isOfHistory(error))) {
    return { code: error.code, message: error.message }
  }
  // Nobody has thought of this one: where it comes from is what is needed to mend it.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'CLI_FAILED', message: text }
}

type Coded = Error & { readonly code: string }

/** By its code: to know its class, every command would have to load the server. */
function isOfDataDirectory(error: Error & { readonly code?: unknown }): error is Coded {
  return typeof error.code === 'string' && error.code.startsWith('ZKS_')
}

/** The same: only commands about it load the history. */
function isOfHistory(error: Error & { readonly code?: unknown }): error is Coded {
  return typeof error.code === 'string' && error.code.startsWith('HISTORY_')
}
