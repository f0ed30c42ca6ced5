import { describeDays, describeMonths, describeYears } from './describe-days.ts'
import { describeTime } from './describe-time.ts'
import type { CronFields } from './parse-fields.ts'

/** An expression in English: `at 10:15:00 on the last weekday of the month`. */
export function describeFields(fields: CronFields): string {
  if (!fields.hasDay) return 'never'
  const { text, isClockTime } = describeTime(fields)
  const days = describeDays(fields.dayRule) ?? (isClockTime ? 'every day' : undefined)
  const months = describeMonths(fields.months)
  return [text, ...daysAndMonths(days, months), describeYears(fields.years)]
    .filter((part) => part !== undefined)
    .reduce(joined)
}

/** Joins `on the 1st of the month` and `in January` to `on the 1st of January`. */
function daysAndMonths(
  days: string | undefined,
  months: string | undefined,
): (string | undefined)[] {
  if (days?.endsWith(' of the month') === true && months?.startsWith('in ') === true) {
    return [days.replace(/the month$/, months.slice('in '.length))]
  }
  return [days, months]
}

/** Joins two parts, with a comma if both begin with `from`. */
function joined(message: string, part: string): string {
  const comma = part.startsWith('from ') && message.includes(' from ') ? ',' : ''
  return `${message}${comma} ${part}`
}
