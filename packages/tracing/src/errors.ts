import type { Sentence } from '@elasticjob/core'

/** Every code that a `HistoryError` may carry; docs/errors.md says what each means. */
export const errorCodes = [
  'HISTORY_URL_INVALID',
  'HISTORY_DRIVER_MISSING',
  'HISTORY_UNREACHABLE',
  'HISTORY_REFUSED',
  'HISTORY_BUSY',
  'HISTORY_FULL',
  'HISTORY_SCHEMA_UNKNOWN',
  'HISTORY_SCHEMA_NEWER',
  'HISTORY_RECORD_INVALID',
  'HISTORY_QUERY_INVALID',
  'HISTORY_CLOSED',
  'HISTORY_FAILED',
] as const

export type HistoryErrorCode = (typeof errorCodes)[number]

/** What passes by itself, or when somebody has looked after the database. */
const transient: ReadonlySet<HistoryErrorCode> = new Set([
  'HISTORY_UNREACHABLE',
  'HISTORY_REFUSED',
  'HISTORY_BUSY',
  'HISTORY_FULL',
])

/** Whatever fails in a history, told by its `code`. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  /** A stable name for what went wrong; compare this, not the message. */
  readonly code: HistoryErrorCode
  readonly #said: Sentence | undefined

  constructor(code: HistoryErrorCode, message: string | Sentence, cause?: unknown) {
    const isText = typeof message === 'string'
    super(isText ? message : message.text, cause === undefined ? undefined : { cause })
    this.code = code
    this.#said = isText ? undefined : message
  }

  /** The message for those who put it into another language; undefined if it is English alone. */
  get said(): Sentence | undefined {
    return this.#said
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return transient.has(this.code)
  }
}
