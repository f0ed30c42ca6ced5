import { expect, it } from 'vitest'

import { systemRandom } from '../src/random.ts'

const hex = (count: number): string => Buffer.from(systemRandom.bytes(count)).toString('hex')

it('gives as many bytes as were asked for, those that are drawn ahead and others', () => {
  for (const count of [0, 1, 12, 16, 63, 64, 65, 4096, 10_000]) {
    expect(systemRandom.bytes(count)).toHaveLength(count)
  }
})

it('never gives the same twice, also where what was drawn ahead is used up', () => {
  const seen = new Set(Array.from({ length: 5000 }, () => hex(16)))
  expect(seen.size).toBe(5000)
})

it('gives bytes that nobody else holds', () => {
  const one = systemRandom.bytes(16)
  const before = Buffer.from(one).toString('hex')
  one.fill(0)
  const others = Array.from({ length: 1000 }, () => hex(16))
  expect(others).not.toContain(before)
  expect(others.filter((bytes) => /^0+$/.test(bytes))).toEqual([])
})

it('can be the ground for one that is half of chance', () => {
  const half = { ...systemRandom, fraction: () => 0.5 }
  expect(half.bytes(16)).toHaveLength(16)
})
