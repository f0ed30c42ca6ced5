import { calendarDayOf, dayNumberOf } from './calendar.ts'
import { dayFrom, type NearestWeekday, nearestWeekdayIn } from './day-rule.ts'
import type { CronFields } from './parse-fields.ts'
import { lastYear, yearFrom } from './year-set.ts'
import type { Zone } from './zone.ts'

const daySeconds = 86_400
const hourSeconds = 3600

/**
 * The first second at or after `from` that fires, exactly as in Quartz; undefined if none does. The search advances the
 * wall-clock time, from the second up to the year. Every change of a field restarts the search. If the search reaches a
 * time that the clock skips, it continues where the clock continues. Steps that look like detours determine the fire
 * times around a clock change, and in months that are shorter than the requested day.
 */
export function nextFire(fields: CronFields, zone: Zone, from: number): number | undefined {
  const { seconds, minutes, hours, dayRule, months, years } = fields
  if (!fields.hasDay) return undefined
  let wall = zone.wallOf(from)
  for (;;) {
    const second = remainder(wall, 60)
    const nextSecond = seconds.from(second)
    if (nextSecond === -1) wall = zone.settle(wall - second + 60 + seconds.first)
    else if (nextSecond !== second) wall = zone.settle(wall - second + nextSecond)

    const date = Math.floor(wall / daySeconds)
    const midnight = date * daySeconds
    const hour = Math.floor((wall - midnight) / hourSeconds)
    const minute = Math.floor((wall - midnight - hour * hourSeconds) / 60)
    const nextMinute = minutes.from(minute)
    if (nextMinute !== minute) {
      const isPast = nextMinute === -1
      wall = toHour(zone, midnight, isPast ? hour + 1 : hour, isPast ? minutes.first : nextMinute)
      continue
    }
    const nextHour = hours.from(hour)
    if (nextHour !== hour) {
      const isPast = nextHour === -1
      const start = isPast ? midnight + daySeconds : midnight
      wall = toHour(zone, start, isPast ? hours.first : nextHour, 0)
      continue
    }

    const { year, month, day } = calendarDayOf(date)
    if (year > lastYear) return undefined
    if (dayRule.kind === 'nearest' || dayRule.kind === 'nearest-to-last') {
      const timeOfDay = wall - midnight
      const start = toNearestWeekday(zone, dayRule, { year, month, timeOfDay, from })
      if (start !== date) {
        wall = zone.settle(start * daySeconds)
        continue
      }
    } else {
      const nextDay = dayFrom(dayRule, year, month, day)
      if (nextDay !== day) {
        const first = dayRule.kind === 'days' ? dayRule.days.first : 1
        wall =
          nextDay === 0 ? toDay(zone, year, month + 1, first) : toDay(zone, year, month, nextDay)
        continue
      }
    }

    const nextMonth = months.from(month)
    if (nextMonth !== month) {
      const isPast = nextMonth === -1
      wall = toDay(zone, isPast ? year + 1 : year, isPast ? months.first : nextMonth, 1)
      continue
    }
    const nextYear = yearFrom(years, year)
    if (nextYear === undefined) return undefined
    if (nextYear === year) return zone.instantOf(wall)
    wall = toDay(zone, nextYear, 1, 1)
  }
}

/** The beginning of a day; if the clock skips midnight, the first time of that day. */
function toDay(zone: Zone, year: number, month: number, day: number): number {
  return zone.settle(dayNumberOf(year, month, day) * daySeconds)
}

/**
 * An hour of a day. If the clock skips the hour, Quartz goes to the number of the following hour, on the day that it
 * has reached by then. If the clock skips the hour from 23:00, that is a day too far, and a whole day passes without a
 * fire.
 */
function toHour(zone: Zone, midnight: number, hour: number, minute: number): number {
  const wall = zone.settle(midnight + hour * hourSeconds + minute * 60)
  const landed = Math.floor(wall / daySeconds) * daySeconds
  if (hour === 24 || Math.floor((wall - landed) / hourSeconds) === hour) return wall
  return zone.settle(landed + (hour + 1) * hourSeconds + remainder(wall, hourSeconds))
}

interface Walk {
  readonly year: number
  readonly month: number
  readonly timeOfDay: number
  readonly from: number
}

/**
 * The day to continue with. After the weekday of this month is over, Quartz goes to the day of the next month that the
 * expression names, not to the first. It therefore skips a month without that day, even though a search that begins
 * within that month would find the weekday.
 */
function toNearestWeekday(
  zone: Zone,
  rule: NearestWeekday,
  { year, month, timeOfDay, from }: Walk,
): number {
  const day = nearestWeekdayIn(rule, year, month)
  const date = dayNumberOf(year, month, day)
  const isOver = zone.instantOf(date * daySeconds + timeOfDay) < from
  // With a day before the first (`L-30W` in a month of 30 days), Quartz would go back forever.
  if (!isOver && day >= 1) return date
  return dayNumberOf(year, month + 1, rule.kind === 'nearest' ? rule.day : 1)
}

function remainder(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor
}
