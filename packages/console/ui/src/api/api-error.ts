import type { Failure, Problem } from '../../../src/contract/common.ts'
import type { MessageParts } from '../../../src/contract/message.ts'

/** An error answer of the server; status 0 if the server did not answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly messageParts: MessageParts | undefined
  readonly problems: readonly Problem[]
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, failure?: Failure['error']) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.messageParts = failure?.messageParts
    this.problems = failure?.problems ?? []
    this.retryAfter = failure?.retryAfter
  }
}

/** Converts any thrown value into an error that can be shown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, 'UNREACHABLE', error instanceof Error ? error.message : String(error))
}
