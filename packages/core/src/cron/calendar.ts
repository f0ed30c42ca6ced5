/** The Gregorian calendar in numbers: days are counted from 1 January 1970. */

/** A day of the calendar; months count from 1. */
export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The number of days before each month of a common year. */
const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

/**
 * The number of a day. Like Java's lenient calendar, it accepts values beyond the end: month 13 is the following
 * January, 31 November is 1 December, and day 0 is the day before the first.
 */
export function dayNumberOf(year: number, month: number, day: number): number {
  const wholeYear = year + Math.floor((month - 1) / 12)
  const monthOfYear = month - (wholeYear - year) * 12
  const leapDay = monthOfYear > 2 && isLeap(wholeYear) ? 1 : 0
  return (
    (wholeYear - 1970) * 365 +
    (leapDaysBefore(wholeYear) - leapDaysBefore(1970)) +
    (daysBeforeMonth[monthOfYear - 1] as number) +
    leapDay +
    day -
    1
  )
}

export function calendarDayOf(dayNumber: number): CalendarDay {
  let year = 1970 + Math.floor(dayNumber / 365.2425)
  let start = dayNumberOf(year, 1, 1)
  // The mean length of a year is wrong by at most one year, around the turn of the year.
  if (start > dayNumber) start = dayNumberOf(--year, 1, 1)
  else if (dayNumber - start >= (isLeap(year) ? 366 : 365)) start = dayNumberOf(++year, 1, 1)
  let month = Math.floor((dayNumber - start) / 31) + 1
  let monthStart = dayNumberOf(year, month, 1)
  const length = lastDayOf(year, month)
  if (dayNumber - monthStart >= length) {
    month++
    monthStart += length
  }
  return { year, month, day: dayNumber - monthStart + 1 }
}

/** The weekday as Quartz counts it: 1 is Sunday, 7 is Saturday. */
export function weekdayOf(dayNumber: number): number {
  const sinceSunday = dayNumber + 4 // the first of January 1970 was a Thursday
  return sinceSunday - Math.floor(sinceSunday / 7) * 7 + 1
}

export const sunday = 1
export const saturday = 7

/** The number of days of a month. */
export function lastDayOf(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function leapDaysBefore(year: number): number {
  const past = year - 1
  return Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400)
}
