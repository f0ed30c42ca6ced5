import { ElasticJobError } from '../errors.ts'
import { message, type Message } from '../message.ts'

/** The fields of an expression, as its errors name them. */
export type CronFieldName =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day-of-month'
  | 'month'
  | 'day-of-week'
  | 'year'

/** Where in an expression something is wrong. */
export interface CronErrorPlace {
  /** The field, if it is one that is wrong and not the whole or the zone. */
  readonly field?: CronFieldName
  /** The character, counted from 1. */
  readonly position?: number
}

/** An expression, or its time zone, that cannot be; it says where, and what would be right. */
export class CronError extends ElasticJobError {
  override readonly name = 'CronError'
  readonly expression: string
  readonly field: CronFieldName | undefined
  /** The character of the expression, counted from 1. */
  readonly position: number | undefined
  readonly #reason: Message

  constructor(expression: string, reason: Message, { field, position }: CronErrorPlace = {}) {
    super('JOB_CRON_INVALID', message('cron-invalid', { expression: quoted(expression), reason }))
    this.#reason = reason
    this.expression = expression
    this.field = field
    this.position = position
  }

  /** What is wrong, for those who have named the expression themselves. */
  get reason(): Message {
    return this.#reason
  }
}

const longestQuote = 200

/** What is quoted came from outside: it may be of any length, and hold line breaks. */
export function quoted(text: string): string {
  const shown = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return JSON.stringify(shown)
}
