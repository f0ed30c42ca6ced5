import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { descending } from '../../../src/job-tree/job-view.ts'
import { StrategyRegistry } from '../../../src/sharding/strategies/strategy-registry.ts'

const strategies = new StrategyRegistry()

/** Instances in Java's order, a number of shards, and who has each now, the dead among them. */
const fleet = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.record({
      instances: fc.constant(ids.toSorted(descending)),
      jobName: fc.string(),
      total: fc.integer({ min: 1, max: 60 }),
      previous: fc
        .dictionary(fc.nat(80).map(String), fc.constantFrom(...ids, 'dead-1', 'dead-2'))
        .map(
          (owners) =>
            new Map(Object.entries(owners).map(([shardingItem, id]) => [Number(shardingItem), id])),
        ),
      now: fc.nat({ max: 2 ** 42 }),
    }),
  )

describe.each(strategies.names)('%s', (type) => {
  const strategy = strategies.get(type)

  it('gives every shard to exactly one instance, and to each its fair share', () => {
    fc.assert(
      fc.property(fleet, ({ instances, jobName, total, previous, now }) => {
        const result = strategy.shard(instances, jobName, total, previous, now)
        expect([...result.keys()].toSorted()).toEqual([...instances].toSorted())
        const items = [...result.values()].flat().toSorted((one, other) => one - other)
        expect(items).toEqual([...Array(total).keys()])
        const counts = [...result.values()].map((owned) => owned.length)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('gives the same answer to the same question, and changes nothing of what it is given', () => {
    fc.assert(
      fc.property(fleet, ({ instances, jobName, total, previous, now }) => {
        const shard = (): [string, number[]][] => [
          ...strategy.shard(Object.freeze(instances), jobName, total, previous, now),
        ]
        const before = [...previous]
        expect(shard()).toEqual(shard())
        expect([...previous]).toEqual(before)
      }),
      { numRuns: 50 },
    )
  })

  it('has nothing to give when there is nobody', () => {
    expect(strategy.shard([], 'job', 3, new Map(), 0).size).toBe(0)
  })
})

it("puts ids into Java's order, by UTF-16 code units", () => {
  expect(
    ['10.0.0.9@-@1', '10.0.0.12@-@1', '10.0.0.1@-@2', '10.0.0.1@-@12'].toSorted(descending),
  ).toEqual(['10.0.0.9@-@1', '10.0.0.1@-@2', '10.0.0.1@-@12', '10.0.0.12@-@1'])
  // A surrogate is below U+FFFD, although its character is above.
  expect(['\u{1f600}', '\ufffd', 'a', 'B'].toSorted(descending)).toEqual([
    '\ufffd',
    '\u{1f600}',
    'a',
    'B',
  ])
})
