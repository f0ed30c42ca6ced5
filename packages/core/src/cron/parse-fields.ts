import { message } from '../message.ts'
import { CronError } from './cron-error.ts'
import { type DayRule, hasDay } from './day-rule.ts'
import { FieldContent } from './field-content.ts'
import { FieldPart } from './field-part.ts'
import { type FieldSpec, fieldSpecs } from './field-specs.ts'
import { readPart } from './read-part.ts'
import type { SmallSet } from './small-set.ts'
import { everyYear, type YearSet } from './year-set.ts'

/** A parsed expression. */
export interface CronFields {
  readonly seconds: SmallSet
  readonly minutes: SmallSet
  readonly hours: SmallSet
  readonly dayRule: DayRule
  readonly months: SmallSet
  readonly years: YearSet
  /** Whether such a day exists at all: a search for 30 February would scan all years. */
  readonly hasDay: boolean
}

/** One field of the expression. */
interface Field {
  readonly text: string
  /** The index of its first character, counted from 0. */
  readonly offset: number
}

const fieldsWanted = message('cron-fields-wanted')

/** Throws a `CronError` that names the place of the problem. */
export function parseFields(expression: string): CronFields {
  // Like Quartz, ignore everything after the year.
  const fields = split(expression).slice(0, fieldSpecs.length)
  if (fields.length < fieldSpecs.length - 1) throw tooFewFields(expression, fields.length)
  const contents = fields.map((field, index) =>
    readField(expression, field, fieldSpecs[index] as FieldSpec),
  )
  const [seconds, minutes, hours, monthDays, months, weekdays, years] = contents as [
    ...SixContents,
    FieldContent?,
  ]
  if (monthDays.isNone === weekdays.isNone) throw daysUnclear(expression, fields, monthDays.isNone)
  const dayRule = monthDays.isNone ? weekdayRuleOf(weekdays) : monthDayRuleOf(monthDays)
  return {
    seconds: seconds.values,
    minutes: minutes.values,
    hours: hours.values,
    dayRule,
    months: months.values,
    years: years?.years ?? everyYear,
    hasDay: hasDay(dayRule, months.values),
  }
}

function tooFewFields(expression: string, count: number): CronError {
  if (count === 1)
    return new CronError(expression, message('cron-one-field', { wanted: fieldsWanted }))
  return new CronError(
    expression,
    count === 5
      ? message('cron-five-fields', { wanted: fieldsWanted })
      : message('cron-few-fields', { count, wanted: fieldsWanted }),
  )
}

type SixContents = [
  FieldContent,
  FieldContent,
  FieldContent,
  FieldContent,
  FieldContent,
  FieldContent,
]

/** Splits at spaces and tabs. Like Java's `trim`, removes all other control characters from both ends of a field. */
function split(expression: string): Field[] {
  return [...expression.toUpperCase().matchAll(/[^ \t]+/g)].map(({ 0: text, index }) => {
    let [begin, end] = [0, text.length]
    while (begin < end && text.charCodeAt(begin) <= space) begin++
    while (begin < end && text.charCodeAt(end - 1) <= space) end--
    return { text: text.slice(begin, end), offset: index + begin }
  })
}

const space = 0x20

function readField(expression: string, { text, offset }: Field, spec: FieldSpec): FieldContent {
  const field = new FieldPart(expression, offset, text, spec)
  checkList(field)
  const content = new FieldContent(spec)
  for (const { 0: part, index } of text.matchAll(/[^,]+/g)) {
    readPart(new FieldPart(expression, offset + index, part, spec), content)
  }
  // Quartz accepts such a field and throws when it computes a fire time.
  if (content.isEmpty) throw field.error(0, message('cron-no-value'), message('cron-every-value'))
  return content
}

/** Rejects `L` and a second `#` in a list of days. */
function checkList(field: FieldPart): void {
  const { text, spec } = field
  if (!spec.isDay) return
  const last = text.indexOf('L')
  if (last !== -1 && text.includes(',')) {
    throw field.error(last, message('cron-last-in-list'), message('cron-last-alone'))
  }
  const second = text.indexOf('#', text.indexOf('#') + 1)
  if (spec.name === 'day-of-week' && second > 0 && text.indexOf('#') !== second) {
    throw field.error(second, message('cron-second-hash'), message('cron-one-hash'))
  }
}

/** The error for the two day fields: Quartz requires exactly one of them to be `?`. */
function daysUnclear(expression: string, fields: readonly Field[], areNone: boolean): CronError {
  const [first = 0, second = 0] = [fields[3], fields[5]].map((field) => (field?.offset ?? 0) + 1)
  const reason = areNone
    ? message('cron-no-days', { first, second })
    : message('cron-both-days', { first, second })
  return new CronError(expression, reason, { field: 'day-of-week', position: second })
}

/** Like Quartz, uses only the first day of a list with `W`. */
function monthDayRuleOf({ values, lastDayOffset, isNearestWeekday }: FieldContent): DayRule {
  if (lastDayOffset !== undefined) {
    return { kind: isNearestWeekday ? 'nearest-to-last' : 'last', offset: lastDayOffset }
  }
  return isNearestWeekday ? { kind: 'nearest', day: values.first } : { kind: 'days', days: values }
}

/** Like Quartz, uses only the first weekday with `#` or `L`, and takes `0#1` for a Saturday. */
function weekdayRuleOf({ values, nth, isLastWeekday }: FieldContent): DayRule {
  const weekday = values.first === 0 ? 7 : values.first
  if (isLastWeekday) return { kind: 'last-weekday-of', weekday }
  return nth === undefined
    ? { kind: 'weekdays', weekdays: values }
    : { kind: 'nth-weekday', weekday, nth }
}
