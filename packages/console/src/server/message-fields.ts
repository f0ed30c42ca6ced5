/** Messages in answers: the English text, and the message parts if the message has them. */
import {
  isElasticJobError,
  isRegistryError,
  type Problem as CoreProblem,
  type Message,
  type MessageValue,
} from '@elasticjob/core'
import { messageOf } from '@elasticjob/core/internal'
import { HistoryError } from '@elasticjob/tracing'

import type { Problem } from '../contract/common.ts'
import type { Reason, MessageParts } from '../contract/message.ts'
import { isConsoleError } from '../errors.ts'

/** The English text is in the field next to it, and not sent twice. */
export function partsOf({ code, parameters }: Message): MessageParts {
  const values = Object.entries(parameters).map(
    ([name, value]) => [name, typeof value === 'object' ? partsOf(value) : value] as const,
  )
  return { code, parameters: Object.fromEntries(values) }
}

interface WithMessage {
  readonly message: string
  readonly messageParts?: Message | undefined
}

export function messageFields({ message, messageParts }: WithMessage): {
  message: string
  messageParts?: MessageParts
} {
  return messageParts === undefined ? { message } : { message, messageParts: partsOf(messageParts) }
}

export function problemsOf(problems: readonly CoreProblem[]): Problem[] {
  return problems.map((problem) => ({ key: problem.key, ...messageFields(problem) }))
}

/** The fields of a reason. */
export function reasonFrom(why: MessageValue, code?: string): Reason {
  const words =
    typeof why === 'object'
      ? { reason: why.text, messageParts: partsOf(why) }
      : { reason: String(why) }
  return code === undefined ? words : { ...words, code }
}

/** The reason of a failure; an unexpected error has no code. */
export function reasonOf(error: unknown): Reason {
  return reasonFrom(whyOf(error), codeOf(error))
}

export function codeOf(error: unknown): string | undefined {
  return isOurs(error) ? error.code : undefined
}

export function whyOf(error: unknown): MessageValue {
  if (isOurs(error) && error.messageParts !== undefined) return error.messageParts
  return messageOf(error)
}

interface OwnError {
  readonly code: string
  readonly messageParts?: Message | undefined
}

function isOurs(error: unknown): error is Error & OwnError {
  return (
    isElasticJobError(error) ||
    isRegistryError(error) ||
    isConsoleError(error) ||
    error instanceof HistoryError
  )
}
