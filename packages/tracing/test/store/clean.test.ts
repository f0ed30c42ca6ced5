import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  cleanSpan,
  cleanText,
  cleanTime,
  itemList,
  itemsOf,
  ourTimes,
  type Repertoire,
} from '../../src/store/clean.ts'

/** Any code units at all, those of no character among them. */
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

describe('a clean text', () => {
  test('has only characters that the column can hold, and no more than it takes', () => {
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

  test('keeps every character that can be held where it was', () => {
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

  test('is not changed by being cleaned again', () => {
    fc.assert(
      fc.property(anyText, lengths, repertoires, (text, length, repertoire) => {
        const once = cleanText(text, { length, repertoire })
        expect(cleanText(once, { length, repertoire })).toBe(once)
      }),
    )
  })
})

test('a clean time is a whole one within the limits', () => {
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

test('a clean length of time is never negative', () => {
  expect([-5, 0, 7.9, 1e300].map(cleanSpan)).toEqual([0, 0, 7, ourTimes.last])
})

test('a list of items reads as it was printed, as far as it goes', () => {
  const items = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 40 })
  fc.assert(
    fc.property(items, (list) => {
      const text = itemList(list, 100)
      expect(text.length).toBeLessThanOrEqual(100)
      const read = itemsOf(text)
      expect(read).toEqual(list.slice(0, read.length))
      expect(text.endsWith('...]') || read.length === list.length).toBe(true)
    }),
  )
  expect(itemList([0, 1, 2], 100)).toBe('[0, 1, 2]')
})
