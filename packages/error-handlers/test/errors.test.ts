import { expect, test } from 'vitest'

import { detailOf } from '../src/errors.ts'

test('detailOf returns the message of any thrown value', () => {
  expect(detailOf(new Error('no'))).toBe('no')
  expect(detailOf('no')).toBe('no')
  expect(detailOf(new RangeError())).toBe('RangeError')
  const attempts = [new Error('connect ::1'), new Error('connect 127.0.0.1')]
  expect(detailOf(new AggregateError(attempts))).toBe('connect ::1; connect 127.0.0.1')
})
