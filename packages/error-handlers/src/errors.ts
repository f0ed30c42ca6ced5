/** Every code that a `NoticeError` may carry; docs/errors.md says what each means. */
export const errorCodes = ['NOTICE_UNREACHABLE', 'NOTICE_REFUSED', 'NOTICE_UNSENT'] as const

export type NoticeErrorCode = (typeof errorCodes)[number]

/**
 * A message about failures that did not reach anybody. It has no `cause`: what the libraries below throw
 * may carry passwords and webhook tokens along, and an error ends up in logs.
 */
export class NoticeError extends Error {
  override readonly name = 'NoticeError'
  /** A stable name for what went wrong; compare this, not the message. */
  readonly code: NoticeErrorCode

  constructor(code: NoticeErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What an error says. That of several attempts to connect says nothing itself, and has them inside. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return error instanceof AggregateError ? error.errors.map(detailOf).join('; ') : error.name
}
