import fc from 'fast-check'
import { expect, test } from 'vitest'

import { chunksOf } from '../../../src/job-types/dataflow/chunks.ts'

test.for([
  [10, 3, [4, 4, 2]],
  [10, 4, [3, 3, 3, 1]],
  [9, 6, [2, 2, 2, 2, 1]],
  [2, 4, [1, 1]],
  [5, 1, [5]],
  [0, 4, []],
] as const)('%i elements in at most %i parts are %j', ([size, parts, sizes]) => {
  const data = Array.from({ length: size }, (_, index) => index)
  expect(chunksOf(data, parts).map((chunk) => chunk.length)).toEqual(sizes)
})

test('chunks are all elements in their order, in no more parts than asked, none empty', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 64 }), (data, parts) => {
      const chunks = chunksOf(data, parts)
      const largest = Math.ceil(data.length / parts)
      expect(chunks.flat()).toEqual(data)
      expect(chunks.length).toBeLessThanOrEqual(parts)
      expect(chunks.every(({ length }) => length > 0 && length <= largest)).toBe(true)
    }),
  )
})
