import { ElasticJobError } from '../errors.ts'
import { message, type Message } from '../message.ts'

/** The fields of an expression, as errors name them. */
export type CronFieldName =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day-of-month'
  | 'month'
  | 'day-of-week'
  | 'year'

/** The place of a problem in an expression. */
export interface CronErrorPlace {
  /** The field; absent if the problem concerns the whole expression or the time zone. */
  readonly field?: CronFieldName
  /** The position of the character, counted from 1. */
  readonly position?: number
}

/** An invalid expression or time zone. The message names the place and the correct form. */
export class CronError extends ElasticJobError {
  override readonly name = 'CronError'
  readonly expression: string
  readonly field: CronFieldName | undefined
  /** The position of the character in the expression, counted from 1. */
  readonly position: number | undefined
  readonly #reason: Message

  constructor(expression: string, reason: Message, { field, position }: CronErrorPlace = {}) {
    super('JOB_CRON_INVALID', message('cron-invalid', { expression: quoted(expression), reason }))
    this.#reason = reason
    this.expression = expression
    this.field = field
    this.position = position
  }

  /** The problem without the expression, for callers that name the expression themselves. */
  get reason(): Message {
    return this.#reason
  }
}

const longestQuote = 200

/** Quotes user input, which may have any length and contain line breaks. */
export function quoted(text: string): string {
  const shown = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return JSON.stringify(shown)
}
