import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { sticky } from '../../../src/sharding/strategies/sticky.ts'

function ownersOf(result: ReadonlyMap<string, readonly number[]>): Map<number, string> {
  return new Map([...result].flatMap(([id, items]) => items.map((shard) => [shard, id] as const)))
}

function keptOf(before: ReadonlyMap<number, string>, after: ReadonlyMap<number, string>): number {
  return [...after].filter(([shard, id]) => before.get(shard) === id).length
}

/** The most that can stay, found by trying every way to share the shards out fairly. */
function mostThatCanStay(
  instances: readonly string[],
  total: number,
  before: ReadonlyMap<number, string>,
): number {
  const share = Math.floor(total / instances.length)
  const owned = instances.map(
    (id) => [...before].filter(([shard, owner]) => shard < total && owner === id).length,
  )
  const larger = total % instances.length
  let most = 0
  for (let choice = 0; choice < 2 ** instances.length; choice++) {
    const isLarger = instances.map((_, i) => ((choice >> i) & 1) === 1)
    if (isLarger.filter(Boolean).length !== larger) continue
    const stay = owned.map((count, i) => Math.min(count, share + (isLarger[i] ? 1 : 0)))
    most = Math.max(
      most,
      stay.reduce((sum, count) => sum + count, 0),
    )
  }
  return most
}

describe('STICKY', () => {
  it('moves as few shards as can be', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    const situation = fc.record({
      instances: fc.subarray(ids, { minLength: 1 }),
      total: fc.integer({ min: 1, max: 20 }),
      owners: fc.array(fc.constantFrom(...ids, 'dead', ''), { maxLength: 24 }),
    })
    fc.assert(
      fc.property(situation, ({ instances, total, owners }) => {
        const before = new Map([...owners.entries()].filter(([, id]) => id !== ''))
        const after = ownersOf(sticky.shard(instances, 'job', total, before, 0))
        expect(keptOf(before, after)).toBe(mostThatCanStay(instances, total, before))
      }),
      { numRuns: 500 },
    )
  })

  it('moves nothing when it is asked again', () => {
    const first = sticky.shard(['c', 'b', 'a'], 'job', 10, new Map(), 0)
    expect(sticky.shard(['c', 'b', 'a'], 'job', 10, ownersOf(first), 1)).toEqual(first)
  })

  it('gives a newcomer its share, one shard from each who has too many', () => {
    const before = ownersOf(sticky.shard(['c', 'b', 'a'], 'job', 12, new Map(), 0))
    const after = ownersOf(sticky.shard(['d', 'c', 'b', 'a'], 'job', 12, before, 0))
    expect(keptOf(before, after)).toBe(9)
    expect([...after.values()].filter((id) => id === 'd')).toHaveLength(3)
  })
})
