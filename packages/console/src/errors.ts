import type { Problem, Message } from '@elasticjob/core'

/** Every code that a `ConsoleError` may carry; docs/errors.md describes each. */
export const errorCodes = [
  'CONSOLE_INPUT_INVALID',
  'CONSOLE_UNAUTHENTICATED',
  'CONSOLE_FORBIDDEN',
  'CONSOLE_FORGED',
  'CONSOLE_HOST_REFUSED',
  'CONSOLE_THROTTLED',
  'CONSOLE_NOT_FOUND',
  'CONSOLE_METHOD_NOT_ALLOWED',
  'CONSOLE_BODY_TOO_LARGE',
  'CONSOLE_REGISTRY_UNKNOWN',
  'CONSOLE_NO_REGISTRY',
  'CONSOLE_REGISTRY_LOST',
  'CONSOLE_REGISTRY_LOADING',
  'CONSOLE_SOURCE_UNKNOWN',
  'CONSOLE_NO_SOURCE',
  'CONSOLE_FIXED',
  'CONSOLE_DUMP_REFUSED',
  'CONSOLE_DUMP_FAILED',
  'CONSOLE_BUSY',
  'CONSOLE_STATE_UNREADABLE',
  'CONSOLE_FAILED',
] as const

/** One of `errorCodes`. */
export type ConsoleErrorCode = (typeof errorCodes)[number]

interface ConsoleErrorOptions {
  /** All problems of the input. */
  readonly problems?: readonly Problem[]
  /** The number of seconds after which a retry may succeed. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** The error of this package, identified by its `code`. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: ConsoleErrorCode
  readonly problems: readonly Problem[] | undefined
  readonly retryAfter: number | undefined
  readonly #messageParts: Message

  constructor(code: ConsoleErrorCode, messageParts: Message, options: ConsoleErrorOptions = {}) {
    super(messageParts.text, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.problems = options.problems
    this.retryAfter = options.retryAfter
    this.#messageParts = messageParts
  }

  /** The message with its parts, for translation. */
  get messageParts(): Message {
    return this.#messageParts
  }
}

/** Whether an error is a `ConsoleError` with one of these codes. */
export function isConsoleError(
  error: unknown,
  ...codes: readonly ConsoleErrorCode[]
): error is ConsoleError {
  return error instanceof ConsoleError && (codes.length === 0 || codes.includes(error.code))
}
