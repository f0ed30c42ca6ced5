import fc from 'fast-check'
import { expect, test } from 'vitest'

import { shorten } from '../../src/notification/shorten.ts'

test('shorten keeps a short text unchanged', () => {
  expect(shorten('für', 4)).toBe('für')
  expect(shorten('', 0)).toBe('')
})

test('shorten does not split a character', () => {
  expect(shorten('作业失败了', 9)).toBe('作业…')
  expect(shorten('作业失败了', 11)).toBe('作业…')
  expect(shorten('作业失败了', 12)).toBe('作业失…')
})

test('shorten returns a prefix within the limit for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 50 }), (text, most) => {
      const short = shorten(text, most)
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(most)
      expect(text.startsWith(short.replace(/…$/, ''))).toBe(true)
    }),
  )
})
