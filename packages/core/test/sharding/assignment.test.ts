import { describe, expect, it, vi } from 'vitest'

import { assign, type AssignmentInputs } from '../../src/sharding/assignment.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import { roundRobin } from '../../src/sharding/strategies/round-robin.ts'
import { singleShardingBalance } from '../../src/sharding/strategies/single-sharding-balance.ts'
import type { ShardingStrategy } from '../../src/sharding/strategies/strategy.ts'
import { java, jobTree, type Situation, viewOf, x, y, z } from '../tree.ts'

const inputs: AssignmentInputs = {
  available: [z, y, x],
  total: 3,
  strategy: averageAllocation,
  staticSharding: false,
  isSettled: false,
  now: 0,
}

function resharding(
  reshard: (instances: readonly string[]) => [string, number[]][],
): ShardingStrategy {
  return { type: 'MINE', shard: (instances) => new Map(reshard(instances)) }
}

describe('assign', () => {
  const settled: Situation = { instances: [x, y, z], owners: [z, y, x] }

  it('gives every shard to whom the strategy gives it', () => {
    const { owners, moving } = assign(viewOf({ instances: [x, y, z] }), inputs)
    expect(owners).toEqual([z, y, x])
    expect(moving.size).toBe(0)
  })

  it('tells the strategy who had what, dead or not', () => {
    const shard = vi.fn<ShardingStrategy['shard']>(() => new Map([[x, [0, 1, 2]]]))
    const view = viewOf({ ...settled, instances: [x] })
    assign(view, { ...inputs, available: [x], strategy: { type: 'MINE', shard }, now: 77 })
    const previous = new Map([
      [0, z],
      [1, y],
      [2, x],
    ])
    expect(shard).toHaveBeenCalledExactlyOnceWith([x], 'job', 3, previous, 77)
  })

  it('one slow shard does not hold the others: it keeps its owner until it ends', () => {
    const view = viewOf({ ...settled, marks: { 0: { running: z } } })
    const { owners, moving } = assign(view, { ...inputs, available: [y, x] })
    expect(owners).toEqual([z, x, y])
    expect([...moving]).toEqual([[0, y]])
  })

  it('a shard that runs and belongs where it is does not move', () => {
    const view = viewOf({ ...settled, marks: { 0: { running: z } } })
    expect(assign(view, inputs).moving.size).toBe(0)
  })

  it('what a dead instance ran goes at once', () => {
    const tree = jobTree({ ...settled, instances: [x, y] })
    tree.server.put(tree.paths.mark(0, 'running'), z)
    const { owners, moving } = assign(tree.view, { ...inputs, available: [y, x] })
    expect(owners[0]).toBe(y)
    expect(moving.size).toBe(0)
  })

  it('what a leaving instance runs stays with it', () => {
    const view = viewOf({
      ...settled,
      instances: [x, y],
      leaving: [z],
      marks: { 0: { running: z } },
    })
    expect(assign(view, { ...inputs, available: [y, x] }).owners[0]).toBe(z)
  })

  describe('where nothing that the strategy looks at has changed', () => {
    const neverAsked: ShardingStrategy = {
      type: 'MINE',
      shard: () => {
        throw new Error('asked again')
      },
    }
    const again = { ...inputs, strategy: neverAsked, isSettled: true }

    it('does not ask it again', () => {
      expect(assign(viewOf(settled), again).owners).toEqual([z, y, x])
    })

    it('lets a shard go where it was to go when its run has ended', () => {
      const { owners, moving } = assign(viewOf({ ...settled, moving: { 0: x } }), again)
      expect(owners).toEqual([x, y, x])
      expect(moving.size).toBe(0)
    })

    it('lets a shard that still runs go later', () => {
      const view = viewOf({ ...settled, moving: { 0: x }, marks: { 0: { running: z } } })
      const { owners, moving } = assign(view, again)
      expect(owners).toEqual([z, y, x])
      expect([...moving]).toEqual([[0, x]])
    })

    it('asks it after all when a shard has nobody who could keep it', () => {
      const view = viewOf({ ...settled, owners: [z, y, undefined] })
      expect(() => assign(view, again)).toThrow('asked again')
      expect(assign(view, { ...again, strategy: averageAllocation }).owners).toEqual([z, y, x])
    })

    it('so that SINGLE_SHARDING_BALANCE, which goes by the clock, stays where it is', () => {
      const owners = [100, 101, 102, 103].map((now) => {
        const rotated = { ...inputs, total: 1, strategy: singleShardingBalance, now }
        const [first] = assign(viewOf({ instances: [x, y, z] }), rotated).owners
        const view = viewOf({ instances: [x, y, z], owners: [first] })
        const later = { ...rotated, isSettled: true, now: now + 1 }
        expect(assign(view, later).owners).toEqual([first])
        return first
      })
      expect(new Set(owners).size).toBe(3)
    })
  })

  describe('with static sharding', () => {
    const fixed = { ...inputs, staticSharding: true }

    it('living owners keep their shards, whoever joins', () => {
      const view = viewOf({ instances: [x, y, z], owners: [x, x, x] })
      expect(assign(view, fixed).owners).toEqual([x, x, x])
    })

    it('also where another instance of their host comes first', () => {
      const neighbour = '10.0.0.1@-@99-wwwwwwww'
      const view = viewOf({ instances: [x, neighbour], owners: [x, x, x] })
      expect(assign(view, { ...fixed, available: [neighbour, x] }).owners).toEqual([x, x, x])
    })

    it('a shard of a dead owner goes to an instance of the same host', () => {
      const reborn = '10.0.0.1@-@14-wwwwwwww'
      const view = viewOf({ instances: [y, reborn], owners: [x, y, x] })
      expect(assign(view, { ...fixed, available: [y, reborn] }).owners).toEqual([reborn, y, reborn])
    })

    it('and where nobody is on that host, to whom the strategy gives it', () => {
      const view = viewOf({ instances: [y, z], owners: [x, x, x] })
      expect(assign(view, { ...fixed, available: [z, y] }).owners).toEqual([z, y, z])
    })

    it('10.0.0.12 is not the host of 10.0.0.1', () => {
      const neighbour = '10.0.0.12@-@1-vvvvvvvv'
      const view = viewOf({ instances: [neighbour, z], owners: [x, x, x] })
      const { owners } = assign(view, { ...fixed, available: [z, neighbour] })
      expect(owners).toEqual([z, neighbour, z])
    })

    it('new shards go to whom the strategy gives them', () => {
      const view = viewOf({ instances: [x, y, z], owners: [x] })
      expect(assign(view, fixed).owners).toEqual([x, y, x])
    })
  })

  it('assigns a job whose name hashes to the smallest number there is', () => {
    const view = viewOf({ jobName: 'polygenelubricants', instances: [x, y, z] })
    const { owners } = assign(view, { ...inputs, strategy: roundRobin })
    expect(new Set(owners)).toEqual(new Set([x, y, z]))
  })

  it('reads in a mixed job what the nodes say of owners', () => {
    const tree = jobTree({ instances: [x, java], owners: [x, x, x] })
    tree.server.put(tree.paths.owner(0), java)
    tree.server.put(tree.paths.mark(0, 'running'), java)
    const { owners, moving } = assign(tree.view, { ...inputs, available: [x] })
    expect(owners[0]).toBe(java)
    expect([...moving]).toEqual([[0, x]])
  })

  describe('refuses what a strategy must not do', () => {
    it.each([
      ['forget a shard', 'gave shard 2 to nobody', resharding(() => [[x, [0, 1]]])],
      [
        'give a shard to somebody who is not there',
        'gave shard 2 to 10.0.0.9@-@99, who is not available',
        resharding(() => [
          [x, [0, 1]],
          [java, [2]],
        ]),
      ],
      [
        'assign a shard that there is not',
        'assigned shard 3 of 3',
        resharding(() => [[x, [0, 1, 2, 3]]]),
      ],
      ['assign nothing', 'gave shard 0 to nobody', resharding(() => [])],
    ])('%s', (_, message, strategy) => {
      expect(() => assign(viewOf({ instances: [x, y, z] }), { ...inputs, strategy })).toThrow(
        message,
      )
    })
  })
})
