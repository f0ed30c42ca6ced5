import type { Message } from '@elasticjob/core'

/** Every code that a `HistoryError` may carry; docs/errors.md describes each. */
export const errorCodes = [
  'HISTORY_URL_INVALID',
  'HISTORY_DRIVER_MISSING',
  'HISTORY_UNREACHABLE',
  'HISTORY_REFUSED',
  'HISTORY_BUSY',
  'HISTORY_FULL',
  'HISTORY_SCHEMA_MISSING',
  'HISTORY_SCHEMA_UNKNOWN',
  'HISTORY_SCHEMA_NEWER',
  'HISTORY_RECORD_INVALID',
  'HISTORY_QUERY_INVALID',
  'HISTORY_CLOSED',
  'HISTORY_FAILED',
] as const

/** One of `errorCodes`. */
export type HistoryErrorCode = (typeof errorCodes)[number]

/** Failures that pass by themselves, or once the database is repaired. */
const transient: ReadonlySet<HistoryErrorCode> = new Set([
  'HISTORY_UNREACHABLE',
  'HISTORY_REFUSED',
  'HISTORY_BUSY',
  'HISTORY_FULL',
])

/** The error of a history, identified by its `code`. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: HistoryErrorCode
  readonly #messageParts: Message | undefined

  constructor(code: HistoryErrorCode, message: string | Message, cause?: unknown) {
    const isText = typeof message === 'string'
    super(isText ? message : message.text, cause === undefined ? undefined : { cause })
    this.code = code
    this.#messageParts = isText ? undefined : message
  }

  /** The message for translation; undefined if it is in English only. */
  get messageParts(): Message | undefined {
    return this.#messageParts
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return transient.has(this.code)
  }
}
