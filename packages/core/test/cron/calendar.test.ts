import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { calendarDayOf, dayNumberOf, lastDayOf, weekdayOf } from '../../src/cron/calendar.ts'

const dayMillis = 86_400_000

describe('the calendar', () => {
  it('agrees with Date on every day that is searched', () => {
    const first = dayNumberOf(1969, 12, 1)
    const dates = Array.from({ length: dayNumberOf(2300, 2, 1) - first }, (_, i) => first + i)
    const wrong = dates.filter((date) => {
      const day = new Date(date * dayMillis)
      const ours = calendarDayOf(date)
      return (
        ours.year !== day.getUTCFullYear() ||
        ours.month !== day.getUTCMonth() + 1 ||
        ours.day !== day.getUTCDate() ||
        weekdayOf(date) !== day.getUTCDay() + 1
      )
    })
    expect(wrong).toEqual([])
  })

  it('takes months and days beyond the end, as Date does', () => {
    const year = fc.integer({ min: 1970, max: 2299 })
    fc.assert(
      fc.property(year, fc.nat({ max: 24 }), fc.integer({ min: -40, max: 70 }), (y, m, d) => {
        expect(dayNumberOf(y, m, d)).toBe(Date.UTC(y, m - 1, d) / dayMillis)
      }),
    )
  })

  it('knows how long a month is', () => {
    expect([1, 2, 4, 12].map((month) => lastDayOf(2028, month))).toEqual([31, 29, 30, 31])
    expect([2000, 2023, 2100].map((year) => lastDayOf(year, 2))).toEqual([29, 28, 28])
  })
})
