/** What is said, as it goes over the wire: in English, and with its parts where it has them. */
import {
  isElasticJobError,
  type Problem as CoreProblem,
  type Sentence,
  type SentenceValue,
} from '@elasticjob/core'
import { HistoryError } from '@elasticjob/tracing'
import { isZooKeeperError } from '@elasticjob/zookeeper'

import type { Problem } from '../contract/common.ts'
import type { Reason, Said } from '../contract/sentence.ts'
import { isConsoleError } from '../errors.ts'

/** English is in the field beside it, and not sent twice. */
export function saidOf({ template, values }: Sentence): Said {
  return {
    template,
    values: values.map((value) => (typeof value === 'object' ? saidOf(value) : value)),
  }
}

interface Worded {
  readonly message: string
  readonly said?: Sentence | undefined
}

export function wordsOf({ message, said }: Worded): { message: string; said?: Said } {
  return said === undefined ? { message } : { message, said: saidOf(said) }
}

export function problemsOf(problems: readonly CoreProblem[]): Problem[] {
  return problems.map((problem) => ({ key: problem.key, ...wordsOf(problem) }))
}

/** Why something is not so. */
export function reasonFrom(why: SentenceValue, code?: string): Reason {
  const words =
    typeof why === 'object' ? { reason: why.text, said: saidOf(why) } : { reason: String(why) }
  return code === undefined ? words : { ...words, code }
}

/** Why something failed; an error that nobody foresaw has no code. */
export function reasonOf(error: unknown): Reason {
  return reasonFrom(whyOf(error), codeOf(error))
}

export function codeOf(error: unknown): string | undefined {
  return isOurs(error) ? error.code : undefined
}

export function whyOf(error: unknown): SentenceValue {
  if (isOurs(error) && error.said !== undefined) return error.said
  return error instanceof Error ? error.message : String(error)
}

interface OwnError {
  readonly code: string
  readonly said?: Sentence | undefined
}

function isOurs(error: unknown): error is Error & OwnError {
  return (
    isElasticJobError(error) ||
    isZooKeeperError(error) ||
    isConsoleError(error) ||
    error instanceof HistoryError
  )
}
