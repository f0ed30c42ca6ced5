import { expect, test } from 'vitest'

import { uuidOf } from '../../src/recorder/uuid.ts'

test('uuidOf returns a version 4 UUID', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(uuidOf(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000')
  expect(uuidOf(new Uint8Array(16).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(uuidOf(Uint8Array.from({ length: 16 }, (_, index) => index * 15))).toMatch(form)
})
