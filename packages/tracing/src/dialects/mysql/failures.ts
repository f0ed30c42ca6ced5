import type { HistoryError, HistoryErrorCode } from '../../errors.ts'
import { codeOf, failure } from '../failure.ts'

export const product = 'MySQL'

const meanings: Readonly<Record<string, HistoryErrorCode>> = {
  PROTOCOL_CONNECTION_LOST: 'HISTORY_UNREACHABLE',
  ER_SERVER_SHUTDOWN: 'HISTORY_UNREACHABLE',
  ER_CONNECTION_KILLED: 'HISTORY_UNREACHABLE',
  ER_CON_COUNT_ERROR: 'HISTORY_BUSY',
  ER_TOO_MANY_USER_CONNECTIONS: 'HISTORY_BUSY',
  ER_LOCK_WAIT_TIMEOUT: 'HISTORY_BUSY',
  ER_LOCK_DEADLOCK: 'HISTORY_BUSY',
  ER_QUERY_INTERRUPTED: 'HISTORY_BUSY',
  ER_DISK_FULL: 'HISTORY_FULL',
  ER_RECORD_FILE_FULL: 'HISTORY_FULL',
  ER_ERROR_ON_WRITE: 'HISTORY_FULL',
  ER_ACCESS_DENIED_ERROR: 'HISTORY_REFUSED',
  ER_DBACCESS_DENIED_ERROR: 'HISTORY_REFUSED',
  ER_TABLEACCESS_DENIED_ERROR: 'HISTORY_REFUSED',
  ER_BAD_DB_ERROR: 'HISTORY_REFUSED',
  ER_OPTION_PREVENTS_STATEMENT: 'HISTORY_REFUSED',
  ER_NOT_SUPPORTED_AUTH_MODE: 'HISTORY_REFUSED',
}

/** The driver's messages without a code for a lost connection. */
const withoutCode =
  /^(Can't add new command when connection is in closed state|The connection was given)/i

export function failureOf(error: unknown): HistoryError {
  const code = codeOf(error)
  const isGone = error instanceof Error && withoutCode.test(error.message)
  return failure(product, error, meanings[code] ?? (isGone ? 'HISTORY_UNREACHABLE' : undefined))
}
