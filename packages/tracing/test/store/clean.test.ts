import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  cleanSpan,
  cleanText,
  cleanTime,
  shardList,
  shardsOf,
  ourTimes,
  type Repertoire,
} from '../../src/store/clean.ts'

/** Any code units, including invalid ones. */
const anyText = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0xd83d, 0xde00, 0xdfff, 0x41)),
    { maxLength: 60 },
  )
  .map((units) => String.fromCharCode(...units))

const lastOf: Readonly<Record<Repertoire, number>> = {
  unicode: 0x10ffff,
  bmp: 0xffff,
  latin1: 0xff,
  ascii: 0x7f,
}
const repertoires = fc.constantFrom<Repertoire>('unicode', 'bmp', 'latin1', 'ascii')
const lengths = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined })

describe('cleanText', () => {
  test('returns only characters that the column can hold, within its length', () => {
    fc.assert(
      fc.property(anyText, lengths, repertoires, (text, length, repertoire) => {
        const cleaned = cleanText(text, { length, repertoire })
        const points = Array.from(cleaned, (character) => character.codePointAt(0) ?? 0)
        expect(points.length).toBe(Math.min(Array.from(text).length, length ?? Infinity))
        expect(points.every((point) => point > 0 && point <= lastOf[repertoire])).toBe(true)
        expect(points.some((point) => point >= 0xd800 && point <= 0xdfff)).toBe(false)
      }),
    )
  })

  test('keeps every valid character in place', () => {
    fc.assert(
      fc.property(anyText, repertoires, (text, repertoire) => {
        const cleaned = Array.from(cleanText(text, { length: undefined, repertoire }))
        const expected = Array.from(text, (character, index) => {
          const point = character.codePointAt(0) ?? 0
          const isHeld =
            point > 0 && point <= lastOf[repertoire] && !(point >= 0xd800 && point <= 0xdfff)
          return isHeld ? character : cleaned[index]
        })
        expect(cleaned).toEqual(expected)
      }),
    )
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(anyText, lengths, repertoires, (text, length, repertoire) => {
        const once = cleanText(text, { length, repertoire })
        expect(cleanText(once, { length, repertoire })).toBe(once)
      }),
    )
  })
})

test('cleanTime returns an integer within the limits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (time) => {
      const cleaned = cleanTime(time, ourTimes)
      expect(Number.isSafeInteger(cleaned)).toBe(true)
      expect(cleaned).toBeGreaterThanOrEqual(0)
      expect(cleaned).toBeLessThanOrEqual(ourTimes.last)
    }),
  )
  expect(cleanTime(1234.9, ourTimes)).toBe(1234)
})

test('cleanSpan is never negative', () => {
  expect([-5, 0, 7.9, 1e300].map(cleanSpan)).toEqual([0, 0, 7, ourTimes.last])
})

test('itemsOf reads back itemList, as far as it is complete', () => {
  const shards = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 40 })
  fc.assert(
    fc.property(shards, (list) => {
      const text = shardList(list, 100)
      expect(text.length).toBeLessThanOrEqual(100)
      const read = shardsOf(text)
      expect(read).toEqual(list.slice(0, read.length))
      expect(text.endsWith('...]') || read.length === list.length).toBe(true)
    }),
  )
  expect(shardList([0, 1, 2], 100)).toBe('[0, 1, 2]')
})
