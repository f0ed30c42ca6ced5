import { message, type Message } from '../message.ts'
import type { CronFieldName } from './cron-error.ts'
import { firstYear, lastYear } from './year-set.ts'

/** The permitted content of a field. */
export interface FieldSpec {
  readonly name: CronFieldName
  readonly label: Message
  readonly plural: Message
  readonly smallest: number
  readonly largest: number
  /** The largest step that Quartz accepts after `*` or a number; after a range it accepts any step. */
  readonly largestStep: number
  /** Three letters each; the first name stands for `smallest`. */
  readonly names: readonly string[]
  /** Whether this is one of the two day fields; only these accept `?`. */
  readonly isDay: boolean
}

const monthNames = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const weekdayNames = 'SUN MON TUE WED THU FRI SAT'.split(' ')

/** The fields in their order; the last one is optional. */
export const fieldSpecs: readonly FieldSpec[] = [
  spec('second', message('cron-second'), message('cron-seconds'), 0, 59, 59),
  spec('minute', message('cron-minute'), message('cron-minutes'), 0, 59, 59),
  spec('hour', message('cron-hour'), message('cron-hours'), 0, 23, 23),
  spec('day-of-month', message('cron-day-of-month'), message('cron-days'), 1, 31, 31),
  spec('month', message('cron-month'), message('cron-months'), 1, 12, 12, monthNames),
  spec(
    'day-of-week',
    message('cron-day-of-week'),
    message('cron-days-of-week'),
    1,
    7,
    7,
    weekdayNames,
  ),
  spec('year', message('cron-year'), message('cron-years'), firstYear, lastYear, Infinity),
]

function spec(
  name: CronFieldName,
  label: Message,
  plural: Message,
  smallest: number,
  largest: number,
  largestStep: number,
  names: readonly string[] = [],
): FieldSpec {
  const isDay = name === 'day-of-month' || name === 'day-of-week'
  return { name, label, plural, smallest, largest, largestStep, names, isDay }
}

/** The title of a field in a message: `hour (field 3)`. */
export function titleOf({ name, label }: FieldSpec): Message {
  return message('cron-field', {
    label,
    number: fieldSpecs.findIndex((other) => other.name === name) + 1,
  })
}

/** `hours are 0 to 23`, `months are 1 to 12 or JAN to DEC`. */
export function rangeOf({ plural, smallest, largest, names }: FieldSpec): Message {
  const [first] = names
  const last = names.at(-1)
  return first === undefined || last === undefined
    ? message('cron-range', { values: plural, least: smallest, most: largest })
    : message('cron-two-ranges', { values: plural, least: smallest, most: largest, first, last })
}
