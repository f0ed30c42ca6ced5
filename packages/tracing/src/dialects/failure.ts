import { HistoryError, type HistoryErrorCode } from '../errors.ts'

/** What tells one error of a driver from another. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Codes that Node's sockets and names give, whoever uses them. */
const unreachable = /^(E[A-Z]*(CONN|NET|HOST)[A-Z]*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)$/

/** The error in our words; those that are already stay as they are. */
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

/** What an error says. That of several attempts to connect says nothing itself, and has them inside. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return error instanceof AggregateError ? error.errors.map(detailOf).join('; ') : error.name
}
