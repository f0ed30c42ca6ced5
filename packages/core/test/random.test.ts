import { expect, it } from 'vitest'

import { systemRandom } from '../src/random.ts'

const hex = (count: number): string => Buffer.from(systemRandom.bytes(count)).toString('hex')

it('systemRandom returns the requested number of bytes, pooled or not', () => {
  for (const count of [0, 1, 12, 16, 63, 64, 65, 4096, 10_000]) {
    expect(systemRandom.bytes(count)).toHaveLength(count)
  }
})

it('systemRandom never returns the same bytes twice, also where the pool is used up', () => {
  const seen = new Set(Array.from({ length: 5000 }, () => hex(16)))
  expect(seen.size).toBe(5000)
})

it('systemRandom returns bytes that are not shared with the pool', () => {
  const one = systemRandom.bytes(16)
  const before = Buffer.from(one).toString('hex')
  one.fill(0)
  const others = Array.from({ length: 1000 }, () => hex(16))
  expect(others).not.toContain(before)
  expect(others.filter((bytes) => /^0+$/.test(bytes))).toEqual([])
})

it('systemRandom can be extended with a deterministic fraction()', () => {
  const half = { ...systemRandom, fraction: () => 0.5 }
  expect(half.bytes(16)).toHaveLength(16)
})
