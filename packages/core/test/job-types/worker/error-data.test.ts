import { expect, test } from 'vitest'

import { errorFromData, errorToData } from '../../../src/job-types/worker/error-data.ts'

test('an error comes back with all that it says', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const original = new RangeError('no rows', { cause })
  const copy = errorFromData(structuredClone(errorToData(original)))
  expect(copy).toMatchObject({
    name: 'RangeError',
    message: 'no rows',
    stack: original.stack,
    cause: { message: 'refused', code: 'ECONNREFUSED' },
  })
  expect(copy).not.toHaveProperty('code')
  expect(String(copy)).toBe('RangeError: no rows')
})

test.for([
  ['a word', 'a word'],
  [undefined, 'undefined'],
  [7, '7'],
] as const)('%j is told as an error', ([thrown, message]) => {
  expect(errorFromData(errorToData(thrown)).message).toBe(message)
})

test('causes that go round in a circle come to an end', () => {
  const error = new Error('first')
  error.cause = new Error('second', { cause: error })
  const data = errorToData(error)
  expect(data.cause?.cause?.cause?.message).toBe('second')
  expect(() => JSON.stringify(data)).not.toThrow()
})
