import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { SmallSet } from '../../src/cron/small-set.ts'

describe('SmallSet', () => {
  it('is a sorted set of numbers from 0 to 63', () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: SmallSet.largest }))
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: SmallSet.largest }), (members, from) => {
        const set = new SmallSet()
        for (const value of members) set.add(value)
        const sorted = members.toSorted((a, b) => a - b)
        expect(set.values()).toEqual(sorted)
        expect(set.isEmpty).toBe(sorted.length === 0)
        expect(set.first).toBe(sorted[0] ?? -1)
        expect(set.from(from)).toBe(sorted.find((value) => value >= from) ?? -1)
      }),
    )
  })
})
