import fc from 'fast-check'
import { expect, test } from 'vitest'

import { decodeCursor, encodeCursor } from '../../src/store/cursor.ts'

test('decodeCursor reads back an encoded position', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), (time, tie) => {
      expect(decodeCursor(encodeCursor({ time, tie }))).toEqual({ time, tie })
    }),
  )
})

test('decodeCursor refuses anything else', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => decodeCursor(text)).toThrow('The cursor is invalid: pass the `next` of a page.')
    }),
  )
})
