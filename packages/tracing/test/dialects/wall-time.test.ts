import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { wallClock } from '../../src/dialects/wall-time.ts'

const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']
const years = { min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }

describe.for(zones)('a wall clock in %s', (zone) => {
  const clock = wallClock(zone)

  test('round-trips every time, except in the repeated hour', () => {
    fc.assert(
      fc.property(fc.integer(years), (time) => {
        const back = clock.timeOf(clock.shown(time))
        expect(clock.shown(back)).toBe(clock.shown(time))
        expect(Math.abs(back - time)).toBeLessThanOrEqual(3_600_000)
      }),
    )
  })
})

test('wallClock shows local time', () => {
  const shown = wallClock('Asia/Shanghai').shown(Date.UTC(2026, 0, 1, 20, 30, 15, 7))
  expect(new Date(shown).toISOString()).toBe('2026-01-02T04:30:15.007Z')
})

test('wallClock without a zone uses the zone of the process', () => {
  const time = Date.UTC(2026, 6, 1, 12)
  const date = new Date(time)
  const shown = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours())
  expect(wallClock(undefined).shown(time)).toBe(shown)
})
