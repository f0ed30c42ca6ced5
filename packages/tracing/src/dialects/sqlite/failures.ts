import type { HistoryError, HistoryErrorCode } from '../../errors.ts'
import { codeOf, failure } from '../failure.ts'

export const product = 'SQLite'

/** By prefix of SQLite's code, whose suffix gives details. */
const meanings: readonly (readonly [prefix: string, HistoryErrorCode])[] = [
  ['SQLITE_BUSY', 'HISTORY_BUSY'],
  ['SQLITE_LOCKED', 'HISTORY_BUSY'],
  ['SQLITE_FULL', 'HISTORY_FULL'],
  // Reported for a full disk by a memory-mapped or synced file.
  ['SQLITE_IOERR', 'HISTORY_FULL'],
  ['SQLITE_CANTOPEN', 'HISTORY_UNREACHABLE'],
  ['SQLITE_INTERRUPT', 'HISTORY_UNREACHABLE'],
  ['SQLITE_READONLY', 'HISTORY_REFUSED'],
  ['SQLITE_PERM', 'HISTORY_REFUSED'],
  ['SQLITE_AUTH', 'HISTORY_REFUSED'],
  // Errors of the file's folder.
  ['ENOTDIR', 'HISTORY_UNREACHABLE'],
  ['EEXIST', 'HISTORY_UNREACHABLE'],
  ['EACCES', 'HISTORY_REFUSED'],
  ['EPERM', 'HISTORY_REFUSED'],
  ['EROFS', 'HISTORY_REFUSED'],
  ['ENOSPC', 'HISTORY_FULL'],
]

export function failureOf(error: unknown): HistoryError {
  const code = codeOf(error)
  const meaning = meanings.find(([prefix]) => code.startsWith(prefix))
  return failure(product, error, meaning?.[1])
}
