import { detailsOf, messageOf } from '@elasticjob/core/internal'

/** Every code that a `NotificationError` may carry; docs/errors.md describes each. */
export const errorCodes = [
  'NOTIFICATION_UNREACHABLE',
  'NOTIFICATION_REFUSED',
  'NOTIFICATION_UNSENT',
] as const

/** One of `errorCodes`. */
export type NotificationErrorCode = (typeof errorCodes)[number]

/**
 * A notification that was not delivered. It has no `cause`: errors of the underlying libraries may contain
 * passwords and webhook tokens, and errors end up in logs.
 */
export class NotificationError extends Error {
  override readonly name = 'NotificationError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: NotificationErrorCode

  constructor(code: NotificationErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The message of an error. An error of several connection attempts has no message itself and contains theirs.
 */
export function detailOf(error: unknown): string {
  const { message, errors } = detailsOf(error)
  return message === '' && errors.length > 0 ? errors.map(detailOf).join('; ') : messageOf(error)
}
