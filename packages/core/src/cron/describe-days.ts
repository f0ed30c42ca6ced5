import type { DayRule } from './day-rule.ts'
import type { SmallSet } from './small-set.ts'
import { type YearSet, firstYear, lastYear } from './year-set.ts'
import { listed, ordinal, shapeOf } from './words.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months =
  'January February March April May June July August September October November December'.split(' ')
const nths = ['first', 'second', 'third', 'fourth', 'fifth']

/** The days; undefined for every day. */
export function describeDays(rule: DayRule): string | undefined {
  switch (rule.kind) {
    case 'days':
      return describeDaysOfMonth(rule.days)
    case 'last':
      return `on ${lastDay(rule.offset)}`
    case 'nearest-to-last':
      return rule.offset === 0
        ? 'on the last weekday of the month'
        : `on the weekday nearest to ${lastDay(rule.offset)}`
    case 'nearest':
      return `on the weekday nearest to the ${ordinal(rule.day)} of the month`
    case 'weekdays':
      return describeWeekdays(rule.weekdays)
    case 'last-weekday-of':
      return `on the last ${weekdayName(rule.weekday)} of the month`
    case 'nth-weekday':
      return `on the ${nths[rule.nth - 1]} ${weekdayName(rule.weekday)} of the month`
  }
}

function describeDaysOfMonth(days: SmallSet): string | undefined {
  const shape = shapeOf(days, 1, 31)
  switch (shape.kind) {
    case 'every':
      return undefined
    case 'one':
      return `on the ${ordinal(shape.value)} of the month`
    case 'range':
      return `from the ${ordinal(shape.from)} to the ${ordinal(shape.to)} of the month`
    case 'steps':
      return `every ${shape.step} days from the ${ordinal(shape.from)} to the ${ordinal(shape.to)} of the month`
    case 'list':
      return `on the ${listed(shape.values.map(ordinal))} of the month`
  }
}

function lastDay(offset: number): string {
  return `the ${offset === 0 ? '' : `${ordinal(offset + 1)} to `}last day of the month`
}

function describeWeekdays(set: SmallSet): string | undefined {
  const shape = shapeOf(set, 1, 7)
  if (shape.kind === 'every') return undefined
  if (shape.kind === 'range') {
    return `from ${weekdayName(shape.from)} to ${weekdayName(shape.to)}`
  }
  return `on ${listed(set.values().map(weekdayName))}`
}

function weekdayName(weekday: number): string {
  return weekdays[weekday - 1] ?? ''
}

/** The months; undefined for every month. */
export function describeMonths(set: SmallSet): string | undefined {
  const shape = shapeOf(set, 1, 12)
  if (shape.kind === 'every') return undefined
  const name = (month: number): string => months[month - 1] ?? ''
  if (shape.kind === 'range') return `from ${name(shape.from)} to ${name(shape.to)}`
  return `in ${listed(set.values().map(name))}`
}

/** The years; undefined for every year. */
export function describeYears(years: YearSet): string | undefined {
  if (years.some(({ from, to, step }) => from <= firstYear && to >= lastYear && step === 1)) {
    return undefined
  }
  if (years.every(({ from, to }) => from === to)) {
    return `in ${listed(years.map(({ from }) => from))}`
  }
  return listed(
    years.map(({ from, to, step }) => {
      if (from === to) return `in ${from}`
      const end = to >= lastYear ? 'on' : `to ${to}`
      return step === 1 ? `from ${from} ${end}` : `every ${step} years from ${from} ${end}`
    }),
  )
}
