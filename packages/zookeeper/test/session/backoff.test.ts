import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { backoffDelay } from '../../src/session/backoff.ts'

const options = { initialDelay: 50, maxDelay: 2000 }
const random = (value: number) => ({
  fraction: () => value,
  bytes: (n: number) => new Uint8Array(n),
})

describe('backoffDelay', () => {
  it('is zero for the first round', () => {
    expect(backoffDelay(0, options, random(0.5))).toBe(0)
  })

  it('doubles up to the limit', () => {
    const delays = [1, 2, 3, 6, 7, 1000].map((round) => backoffDelay(round, options, random(1)))
    expect(delays).toEqual([50, 100, 200, 1600, 2000, 2000])
  })

  it('is spread over the upper half of the interval', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (round, chance) => {
          const delay = backoffDelay(round, options, random(chance))
          const most = backoffDelay(round, options, random(1))
          expect(delay).toBeGreaterThanOrEqual(most / 2)
          expect(delay).toBeLessThanOrEqual(most)
        },
      ),
    )
  })
})
