import { beforeEach, describe, expect, it } from 'vitest'

import { ShardingService, type ShardingSettings } from '../../src/sharding/service.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import { every } from '../support/fires.ts'
import { failure, TreeHost } from '../support/tree-host.ts'
import { jobTree, type Situation, x, y, z } from '../tree.ts'

const settings: ShardingSettings = {
  total: 2,
  strategy: () => averageAllocation,
  staticSharding: false,
  nextFire: undefined,
  lastFire: undefined,
  isDue: false,
  fires: every(60_000),
  window: 25_000,
}

/** `y` has joined; `x` leads and owns both shards. */
const joined: Situation = {
  instances: [x, y],
  leader: x,
  owners: [x, x],
  epoch: { among: [x] },
}

let at: TreeHost
let service: ShardingService
let givenUp: string[]

function begin(situation: Situation = joined): void {
  at = new TreeHost(jobTree(situation), x)
  service = new ShardingService(at.host)
  givenUp = []
}

async function step(now: number, changes: Partial<ShardingSettings> = {}): Promise<unknown> {
  const wanted = service.step(now, { ...settings, ...changes }, (reason) => {
    givenUp.push(reason)
    return Promise.resolve()
  })
  if (typeof wanted !== 'object') return wanted
  await wanted
  return 'done'
}

beforeEach(() => begin())

describe('a leader whose instances changed', () => {
  it('waits a second for more, then reshards and tells it', async () => {
    expect(await step(10_000)).toBe(11_000)
    expect(await step(10_999)).toBe(11_000)
    expect(await step(11_000)).toBe('done')
    expect(new Set(at.tree.ownerNodes)).toEqual(new Set([x, y]))
    const told = { reason: 'instances changed', moved: 1, waiting: 0, instances: 2 }
    expect(at.payloads('sharding:changed')).toMatchObject([told])
    expect(await step(12_000)).toBeUndefined()
  })

  it('waits a second after each further change, but five at most', async () => {
    expect(await step(10_000)).toBe(11_000)
    at.tree.join(z)
    expect(await step(10_500)).toBe(11_500)
    at.tree.server.expire(z)
    expect(await step(11_400)).toBe(12_400)
    for (let now = 12_300; now < 15_000; now += 900) {
      if (at.tree.view.instances.has(z)) at.tree.server.expire(z)
      else at.tree.join(z)
      expect(await step(now)).toBe(Math.min(now + 1_000, 15_000))
    }
    expect(await step(15_000)).toBe('done')
  })

  it('counts its patience afresh once nothing is needed', async () => {
    expect(await step(10_000)).toBe(11_000)
    at.tree.server.expire(y)
    expect(await step(10_900)).toBeUndefined()
    at.tree.join(y)
    expect(await step(30_000)).toBe(31_000)
  })

  it('gives away by what is under way, until that is over', async () => {
    await step(10_000)
    expect([0, 1].map((shard) => service.givesAway(shard))).toEqual([false, false])
    let during: boolean[] = []
    at.beforeCommit = () => {
      during = [0, 1].map((shard) => service.givesAway(shard))
    }
    await step(11_000)
    expect(during.filter(Boolean)).toHaveLength(1)
    expect([0, 1].map((shard) => service.givesAway(shard))).toEqual([false, false])
  })

  it('gives nothing away any more after a resharding that failed, and tries again', async () => {
    await step(10_000)
    at.beforeCommit = () => {
      throw failure('REGISTRY_BAD_VERSION')
    }
    await expect(step(11_000)).rejects.toThrow('REGISTRY_BAD_VERSION')
    expect([0, 1].map((shard) => service.givesAway(shard))).toEqual([false, false])
    expect(at.payloads('sharding:changed')).toEqual([])
    at.beforeCommit = () => {}
    expect(await step(11_050)).toBe('done')
  })
})

describe('a leader whose strategy fails', () => {
  const broken = {
    strategy: () => {
      throw new Error('unknown strategy')
    },
  }

  it('tries three times a second apart, and gives up then', async () => {
    expect(await step(10_000, broken)).toBe(11_000)
    expect(await step(11_000, broken)).toBe(12_000)
    expect(givenUp).toEqual([])
    expect(await step(12_000, broken)).toBe('done')
    expect(givenUp).toHaveLength(1)
    expect(at.payloads('sharding:failed')).toMatchObject([
      { attempts: 1 },
      { attempts: 2 },
      { attempts: 3 },
    ])
    expect(await step(20_000, broken)).toBe(21_000)
  })

  it('starts counting again after a success', async () => {
    await step(10_000, broken)
    await step(11_000, broken)
    await step(12_000)
    expect(await step(13_000, broken)).toBe(14_000)
    expect(givenUp).toEqual([])
  })
})
