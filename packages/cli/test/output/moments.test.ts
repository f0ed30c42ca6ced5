import { expect, test } from 'vitest'

import { dateTime, distance, duration } from '../../src/output/moments.ts'

test.for([
  [0, '0 ms'],
  [850, '850 ms'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
] as const)('%i ms is %s', ([milliseconds, words]) => {
  expect(duration(milliseconds)).toBe(words)
})

test.for([
  [4000, 'in 4 s'],
  [400, 'now'],
  [-400, 'now'],
  [-61_000, '1 min 1 s ago'],
] as const)('%i ms from now is %s', ([away, words]) => {
  const now = Date.UTC(2026, 10, 15)
  expect(distance(now + away, now)).toBe(words)
})

test('a moment in a zone', () => {
  const time = Date.UTC(2026, 10, 15, 23, 30, 5)
  expect(dateTime(time, 'Europe/Berlin')).toBe('2026-11-16 00:30:05')
  expect(dateTime(time, 'GMT+08:00')).toBe('2026-11-16 07:30:05')
  expect(dateTime(time, 'GMT-03:30')).toBe('2026-11-15 20:00:05')
  expect(dateTime(time, 'UTC')).toBe('2026-11-15 23:30:05')
})
