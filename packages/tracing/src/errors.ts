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

  constructor(code: HistoryErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return transient.has(this.code)
  }
}
