import { describe, expect, test } from 'vitest'

import { median, rotated, spread } from '../measure/statistics.ts'

describe('median', () => {
  test.for<[values: number[], expected: number]>([
    [[7], 7],
    [[9, 1, 5], 5],
    [[10, 2, 9, 1], 5.5],
    [[100, 20, 3], 20],
  ])('of %j is %d', ([values, expected]) => {
    expect(median(values)).toBe(expected)
  })

  test('leaves the values as they were', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })

  test('of nothing does not exist', () => {
    expect(() => median([])).toThrow('no median')
  })
})

test('the spread is a share of the median', () => {
  expect(spread([90, 100, 120])).toBeCloseTo(0.3)
})

test('everybody is the first in turn', () => {
  const firsts = [0, 1, 2, 3].map((by) => rotated(['a', 'b', 'c'], by)[0])
  expect(firsts).toEqual(['a', 'b', 'c', 'a'])
  expect(rotated(['a', 'b', 'c'], 2)).toEqual(['c', 'a', 'b'])
})
