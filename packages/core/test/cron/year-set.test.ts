import { describe, expect, it } from 'vitest'

import { everyYear, lastYear, yearFrom } from '../../src/cron/year-set.ts'

describe('yearFrom', () => {
  it('finds the next year of any of the spans', () => {
    const years = [
      { from: 2027, to: 2040, step: 4 },
      { from: 2030, to: 2030, step: 1 },
    ]
    expect([2000, 2027, 2028, 2031, 2036].map((year) => yearFrom(years, year))).toEqual([
      2027, 2027, 2030, 2031, 2039,
    ])
    expect(yearFrom(years, 2040)).toBeUndefined()
  })

  it('ends with the last year, whatever was asked for', () => {
    expect(yearFrom(everyYear, lastYear)).toBe(lastYear)
    expect(yearFrom(everyYear, lastYear + 1)).toBeUndefined()
    expect(yearFrom([{ from: 2000, to: 99_999, step: 1 }], lastYear + 1)).toBeUndefined()
  })
})
