import fc from 'fast-check'
import { expect, test } from 'vitest'

import { classOf, Histogram, lengthOf } from '../../src/store/histogram.ts'

test('lengthOf is within one percent of every value of its class', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (milliseconds) => {
      const stands = lengthOf(classOf(milliseconds))
      expect(Math.abs(stands - milliseconds)).toBeLessThanOrEqual(milliseconds * 0.01 + 0.5)
    }),
  )
})

test('short durations are exact', () => {
  const short = Array.from({ length: 49 }, (_, index) => index)
  expect(short.map((milliseconds) => lengthOf(classOf(milliseconds)))).toEqual(short)
})

test('a class fits into a two-byte column', () => {
  expect(classOf(253_402_300_799_999)).toBeLessThan(2 ** 15)
})

test('percentiles are those of the nearest rank', () => {
  const histogram = new Histogram()
  for (const milliseconds of [4, 1, 3, 2]) histogram.add(classOf(milliseconds), 1)
  expect(histogram.percentiles()).toEqual({ count: 4, p50: 2, p95: 4, p99: 4, max: 4 })
})

test('merging two histograms equals one of all values', () => {
  const [one, other, all] = [new Histogram(), new Histogram(), new Histogram()]
  for (const [index, milliseconds] of [9, 1, 3, 3, 700, 20].entries()) {
    for (const each of [index % 2 === 0 ? one : other, all]) each.add(classOf(milliseconds), 1)
  }
  one.merge(other)
  expect(one.percentiles()).toEqual(all.percentiles())
})

test('an empty histogram has no percentiles', () => {
  const nothing = { count: 0, p50: undefined, p95: undefined, p99: undefined, max: undefined }
  expect(new Histogram().percentiles()).toEqual(nothing)
})
