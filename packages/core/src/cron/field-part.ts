import { message, type Message, type MessageValue } from '../message.ts'
import { CronError } from './cron-error.ts'
import { type FieldSpec, titleOf } from './field-specs.ts'

const largestInteger = 2 ** 31 - 1

/** The text between two commas of a field, and its place in the expression. */
export class FieldPart {
  readonly text: string
  readonly spec: FieldSpec
  readonly #expression: string
  readonly #offset: number

  constructor(expression: string, offset: number, text: string, spec: FieldSpec) {
    this.#expression = expression
    this.#offset = offset
    this.text = text
    this.spec = spec
  }

  /** The character at an index; '' beyond the end. */
  at(index: number): string {
    return this.text.charAt(index)
  }

  /** The digits at an index. Like Quartz, throws if there are none or if the number exceeds a Java `int`. */
  numberAt(index: number, where: MessageValue): { readonly value: number; readonly end: number } {
    let end = index
    while (isDigit(this.at(end))) end++
    if (end === index) throw this.lacksNumber(index, where)
    const value = Number(this.text.slice(index, end))
    if (value > largestInteger)
      throw this.error(index, message('cron-number'), message('cron-number-too-large'))
    return { value, end }
  }

  /** The rest of the text as a number with an optional sign; undefined if it is not a number. */
  integerFrom(index: number): number | undefined {
    const rest = this.text.slice(index)
    const value = Number(rest)
    return /^[+-]?\d+$/.test(rest) && Math.abs(value) <= largestInteger ? value : undefined
  }

  lacksNumber(index: number, where: MessageValue): CronError {
    return this.error(
      index,
      message('cron-number-missing'),
      message('cron-number-needed', { place: where }),
    )
  }

  /** `hour (field 3) has 25 at character 5; hours are 0 to 23`. */
  error(index: number, found: Message, right: Message): CronError {
    const position = this.#offset + index + 1
    return new CronError(
      this.#expression,
      message('cron-field-problem', { field: titleOf(this.spec), found, position, right }),
      { field: this.spec.name, position },
    )
  }
}

export function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}
