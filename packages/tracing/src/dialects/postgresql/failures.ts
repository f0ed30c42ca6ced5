import type { HistoryError, HistoryErrorCode } from '../../errors.ts'
import { codeOf, failure } from '../failure.ts'

export const product = 'PostgreSQL'

/** By prefix of the SQLSTATE, longer prefixes first. */
const meanings: readonly (readonly [prefix: string, HistoryErrorCode])[] = [
  ['08', 'HISTORY_UNREACHABLE'],
  ['57P', 'HISTORY_UNREACHABLE'],
  ['40', 'HISTORY_BUSY'],
  ['53300', 'HISTORY_BUSY'],
  ['55P03', 'HISTORY_BUSY'],
  ['57014', 'HISTORY_BUSY'],
  ['53', 'HISTORY_FULL'],
  ['58030', 'HISTORY_FULL'],
  ['25006', 'HISTORY_REFUSED'],
  ['28', 'HISTORY_REFUSED'],
  ['3D', 'HISTORY_REFUSED'],
  ['42501', 'HISTORY_REFUSED'],
]

/** The driver's messages without a code for a lost connection or a connect timeout. */
const withoutCode =
  /^(Connection terminated|timeout exceeded|timeout expired|The connection was given)/i

export function failureOf(error: unknown): HistoryError {
  const code = codeOf(error)
  const meaning = meanings.find(([prefix]) => code.startsWith(prefix))?.[1]
  const isGone = code === '' && error instanceof Error && withoutCode.test(error.message)
  return failure(product, error, meaning ?? (isGone ? 'HISTORY_UNREACHABLE' : undefined))
}
