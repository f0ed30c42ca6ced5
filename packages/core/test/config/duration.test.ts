import { expect, it } from 'vitest'

import { millisecondsOf } from '../../src/config/duration.ts'

it.each([
  [250, 250],
  ['250', 250],
  ['500ms', 500],
  ['1.5s', 1500],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
])('millisecondsOf(%j) is %d', (duration, milliseconds) => {
  expect(millisecondsOf(duration)).toBe(milliseconds)
})

it.each(['', 's', '5 s', '-1s', '1w', null, undefined, {}, true])(
  'millisecondsOf(%j) is NaN',
  (value) => {
    expect(millisecondsOf(value)).toBeNaN()
  },
)
