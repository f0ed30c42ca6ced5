import { describe, expect, test } from 'vitest'

import { median, quantile, rotated, spread } from '../measure/statistics.ts'

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

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  test('is the value that such a share does not exceed', () => {
    expect(quantile(hundred, 0.5)).toBe(50)
    expect(quantile(hundred, 0.99)).toBe(99)
    expect(quantile(hundred, 1)).toBe(100)
    expect(quantile(hundred, 0)).toBe(1)
  })

  test('of few values is the largest, for a high share', () => {
    expect(quantile([3, 9, 5], 0.99)).toBe(9)
    expect(quantile([3], 0.5)).toBe(3)
  })

  test('of nothing does not exist', () => {
    expect(() => quantile([], 0.5)).toThrow('no quantile')
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
