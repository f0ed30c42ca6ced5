import { dayNumberOf, lastDayOf, saturday, sunday, weekdayOf } from './calendar.ts'
import type { SmallSet } from './small-set.ts'

/** The days of a month on which an expression fires: the combination of its two day fields. */
export type DayRule =
  | { readonly kind: 'days'; readonly days: SmallSet }
  | { readonly kind: 'last'; readonly offset: number }
  | NearestWeekday
  | { readonly kind: 'weekdays'; readonly weekdays: SmallSet }
  | { readonly kind: 'last-weekday-of'; readonly weekday: number }
  | { readonly kind: 'nth-weekday'; readonly weekday: number; readonly nth: number }

/** `15W`, `LW` and `L-3W`: the nearest day from Monday to Friday within the month. */
export type NearestWeekday =
  | { readonly kind: 'nearest'; readonly day: number }
  | { readonly kind: 'nearest-to-last'; readonly offset: number }

/** The rules whose days do not depend on how the search entered the month. */
export type PlainDayRule = Exclude<DayRule, NearestWeekday>

/** The first day of the rule in a month at or after `day`, or 0 if none is left. */
export function dayFrom(rule: PlainDayRule, year: number, month: number, day: number): number {
  const last = lastDayOf(year, month)
  const found = candidateFrom(rule, year, month, day, last)
  return found >= day && found <= last ? found : 0
}

function candidateFrom(
  rule: PlainDayRule,
  year: number,
  month: number,
  day: number,
  last: number,
): number {
  switch (rule.kind) {
    case 'days':
      return rule.days.from(day)
    case 'last':
      return last - rule.offset
    case 'weekdays': {
      const weekday = weekdayOf(dayNumberOf(year, month, day))
      const later = rule.weekdays.from(weekday)
      return later === -1 ? day + rule.weekdays.first + 7 - weekday : day + later - weekday
    }
    case 'last-weekday-of': {
      const weekday = weekdayOf(dayNumberOf(year, month, last))
      return last - ((weekday - rule.weekday + 7) % 7)
    }
    case 'nth-weekday': {
      // Quartz accepts `9#1` and never finds such a day.
      if (rule.weekday > saturday) return 0
      const weekday = weekdayOf(dayNumberOf(year, month, 1))
      return 1 + ((rule.weekday - weekday + 7) % 7) + (rule.nth - 1) * 7
    }
  }
}

/**
 * The day of a `W` rule, which may lie outside the month. Quartz asks its lenient calendar for the weekday of the 31st
 * in a month of 30 days, gets the weekday of the first of the next month, and moves the day only if that is a Saturday.
 */
export function nearestWeekdayIn(rule: NearestWeekday, year: number, month: number): number {
  const last = lastDayOf(year, month)
  const day = rule.kind === 'nearest' ? rule.day : last - rule.offset
  const weekday = weekdayOf(dayNumberOf(year, month, day))
  if (weekday === saturday) return day === 1 ? 3 : day - 1
  if (weekday === sunday) return day === last ? day - 2 : day + 1
  return day
}

/** These 28 years contain every kind of year: common and leap, beginning on any weekday. */
const [firstOfKinds, lastOfKinds] = [2000, 2027]

/** Whether the rule has a day in any of the months, in any year; `30 2` has none. */
export function hasDay(rule: DayRule, months: SmallSet): boolean {
  for (let year = firstOfKinds; year <= lastOfKinds; year++) {
    for (const month of months.values()) {
      if (hasDayIn(rule, year, month)) return true
    }
  }
  return false
}

function hasDayIn(rule: DayRule, year: number, month: number): boolean {
  if (rule.kind !== 'nearest' && rule.kind !== 'nearest-to-last') {
    return dayFrom(rule, year, month, 1) !== 0
  }
  const day = nearestWeekdayIn(rule, year, month)
  return day >= 1 && day <= lastDayOf(year, month)
}
