import { detailsOf, messageOf } from '@elasticjob/core/internal'
import { HistoryError, type HistoryErrorCode } from '../errors.ts'

/** The code of a driver's error. */
export function codeOf(error: unknown): string {
  return detailsOf(error).code ?? ''
}

/** Network error codes of Node. */
const unreachable = /^(E[A-Z]*(CONN|NET|HOST)[A-Z]*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)$/

/** Converts an error into a `HistoryError`, unless it is one. */
export function failure(
  product: string,
  error: unknown,
  meaning: HistoryErrorCode | undefined,
): HistoryError {
  if (error instanceof HistoryError) return error
  const code =
    meaning ?? (unreachable.test(codeOf(error)) ? 'HISTORY_UNREACHABLE' : 'HISTORY_FAILED')
  return new HistoryError(code, `${product}: ${detailOf(error)}`, error)
}

/**
 * The message of an error. An error of several connection attempts has no message itself and contains theirs.
 */
function detailOf(error: unknown): string {
  const { message, errors } = detailsOf(error)
  return message === '' && errors.length > 0 ? errors.map(detailOf).join('; ') : messageOf(error)
}
