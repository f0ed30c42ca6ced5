import { describe, expect, it } from 'vitest'

import { digestOf, isOrphan, needOf, ownerOf } from '../../src/sharding/needs.ts'
import { java, jobTree, type Situation, viewOf, x, y, z } from '../tree.ts'

const strategy = 'AVG_ALLOCATION'

function need(situation: Situation, total: number): ReturnType<typeof needOf> {
  return needOf(viewOf(situation), { total, strategy })
}

describe('needOf', () => {
  const settled: Situation = { instances: [x, y], leader: x, owners: [x, x, y] }

  it('has nothing to do where everything is as it was assigned', () => {
    expect(need(settled, 3)).toBeUndefined()
  })

  it('has nothing to do while there is nobody to assign to', () => {
    expect(need({ ...settled, instances: [] }, 3)).toBeUndefined()
    const servers = { '10.0.0.1': 'DISABLED', '10.0.0.2': 'DISABLED' }
    expect(need({ ...settled, servers, necessary: true }, 3)).toBeUndefined()
  })

  it('is needed for a job that was never assigned, and more may come', () => {
    expect(need({ instances: [x], epoch: false }, 3)).toEqual({
      reason: 'instances changed',
      canWait: true,
    })
  })

  it.each([
    ['comes', { instances: [x, y, z] }],
    ['goes', { instances: [x] }],
    ['is disabled', { instances: [x, y], servers: { '10.0.0.2': 'DISABLED' } }],
    ['gives up its node while its session lives', { instances: [x], leaving: [y] }],
  ])('is needed when an instance %s, and more may follow', (_, change) => {
    const situation = { ...settled, ...change, epoch: { among: [x, y] } }
    expect(need(situation, 3)).toEqual({ reason: 'instances changed', canWait: true })
  })

  it('is not needed when the node of a server vanishes, which means enabled', () => {
    expect(need({ ...settled, servers: { '10.0.0.2': undefined } }, 3)).toBeUndefined()
  })

  it('is needed at once when there are more or fewer shards than before', () => {
    const reason = { reason: 'settings changed', canWait: false }
    expect(need(settled, 4)).toEqual(reason)
    expect(need(settled, 2)).toEqual(reason)
  })

  it('is needed at once when the strategy is another, and capitals make none', () => {
    const view = viewOf(settled)
    expect(needOf(view, { total: 3, strategy: 'odevity' })?.reason).toBe('settings changed')
    expect(needOf(view, { total: 3, strategy: 'avg_allocation' })).toBeUndefined()
  })

  it('is a state, so that no request can be lost: asked again, the answer is the same', () => {
    const tree = jobTree({ ...settled, instances: [x, y, z], epoch: { among: [x, y] } })
    for (let look = 0; look < 3; look++) {
      expect(needOf(tree.view, { total: 3, strategy })?.reason).toBe('instances changed')
    }
  })

  it('is needed at once where the flag of Java is up, whether anything fires or not', () => {
    const reason = { reason: 'requested', canWait: false }
    expect(need({ ...settled, necessary: true }, 3)).toEqual(reason)
  })

  it('is needed at once where a deposed leader of Java has deleted the owner of a shard', () => {
    const tree = jobTree(settled)
    tree.server.drop(tree.paths.owner(1))
    expect(needOf(tree.view, { total: 3, strategy })).toEqual({
      reason: 'shard without owner',
      canWait: false,
    })
  })

  it('is needed at once where a shard does not exist', () => {
    const tree = jobTree(settled)
    tree.server.drop(tree.paths.shard(2))
    expect(needOf(tree.view, { total: 3, strategy })?.reason).toBe('shard without owner')
  })

  it('is needed at once when the owner of a shard is not among the available ones', () => {
    const situation: Situation = { instances: [x, y], owners: [x, z], epoch: { among: [x, y] } }
    expect(need(situation, 2)).toEqual({ reason: 'shard without owner', canWait: false })
  })

  it('leaves a shard to a leaving owner that runs it', () => {
    const situation: Situation = {
      instances: [x],
      leaving: [y],
      owners: [x, y],
      moving: { 1: x },
      marks: { 1: { running: y } },
      epoch: { among: [x] },
    }
    expect(need(situation, 2)).toBeUndefined()
    expect(need({ ...situation, marks: {} }, 2)?.reason).toBe('shard without owner')
    expect(need({ ...situation, leaving: [] }, 2)?.reason).toBe('shard without owner')
  })

  it('is needed at once when a shard that moves has ended its run', () => {
    const situation: Situation = {
      instances: [x, y],
      owners: [x, x],
      moving: { 1: y },
      marks: { 1: { running: x } },
    }
    expect(need(situation, 2)).toBeUndefined()
    expect(need({ ...situation, marks: {} }, 2)).toEqual({
      reason: 'shard moves on',
      canWait: false,
    })
  })

  it('is needed where shards stand beyond the number of shards, unless one still runs', () => {
    const situation: Situation = { instances: [x], owners: [x, x, x], epoch: { total: 2 } }
    expect(need(situation, 2)).toEqual({ reason: 'surplus shard', canWait: false })
    expect(need({ ...situation, marks: { 2: { running: x } } }, 2)).toBeUndefined()
  })

  it('compares shards as numbers: of 0 to 10, only 10 is beyond 10 shards', () => {
    const owners = Array.from({ length: 11 }, () => x)
    expect(need({ instances: [x], owners, epoch: { total: 10 } }, 10)?.reason).toBe('surplus shard')
    expect(need({ instances: [x], owners: owners.slice(0, 10) }, 10)).toBeUndefined()
  })

  it('is settled with more instances than shards', () => {
    expect(need({ instances: [x, y, z], owners: [z] }, 1)).toBeUndefined()
  })

  it('does not look at what happens to shards otherwise', () => {
    const marks = { 0: { running: x, misfire: '' }, 1: { disabled: '', failover: y } }
    expect(need({ ...settled, marks }, 3)).toBeUndefined()
  })
})

describe('digestOf', () => {
  it('stands for who takes part, in whatever order, and for how shards are assigned', () => {
    const digest = digestOf([x, y], { total: 3, strategy })
    expect(digestOf([y, x], { total: 3, strategy: strategy.toLowerCase() })).toBe(digest)
    const others = [
      digestOf([x], { total: 3, strategy }),
      digestOf([x, y, z], { total: 3, strategy }),
      digestOf([x, y], { total: 4, strategy }),
      digestOf([x, y], { total: 3, strategy: 'STICKY' }),
    ]
    expect(new Set([digest, ...others]).size).toBe(others.length + 1)
  })
})

describe('ownerOf', () => {
  it('is what the epoch says in a job without Java instances', () => {
    expect(ownerOf(viewOf({ instances: [x, y], owners: [x, y] }), 1)).toBe(y)
    expect(ownerOf(viewOf({ instances: [x], owners: [x] }), 5)).toBeUndefined()
  })

  it('is what the node says in a mixed job: a leader of Java leaves the epoch as it was', () => {
    const tree = jobTree({ instances: [x, java], owners: [x] })
    tree.server.put(tree.paths.owner(0), java)
    expect(ownerOf(tree.view, 0)).toBe(java)
  })
})

describe('isOrphan', () => {
  it('is a shard whose run nobody alive carries on', () => {
    const tree = jobTree({ instances: [x, y], owners: [x, y], marks: { 1: { running: y } } })
    const available = new Set([x])
    expect(isOrphan(tree.view, 0, available)).toBe(false)
    expect(isOrphan(tree.view, 1, available)).toBe(false)
    tree.server.expire(y)
    tree.server.put(tree.paths.mark(1, 'running'), y)
    expect(isOrphan(tree.view, 1, available)).toBe(true)
  })
})
