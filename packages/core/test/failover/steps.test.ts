import { beforeEach, describe, expect, it } from 'vitest'

import { FailoverService, type FailoverSettings } from '../../src/failover/service.ts'
import type { TakeoverSettings } from '../../src/failover/takeover.ts'
import type { ShardState } from '../../src/job-tree/shard-state.ts'
import { every } from '../support/fires.ts'
import { failure, period, TreeHost } from '../support/tree-host.ts'
import { jobTree, type Situation, x, y, z } from '../tree.ts'

const T = 960_000
const settings: FailoverSettings = {
  failover: true,
  total: 3,
  maximumAttempts: 3,
  leads: true,
  speaks: true,
  fires: every(period),
}

const running: Partial<ShardState> = {
  state: 'running',
  run: 'first',
  instance: x,
  fireTime: T,
  attempt: 1,
  begin: T,
}

/** `x` runs shard 0, `y` leads. */
const busy: Situation = {
  instances: [x, y],
  leader: y,
  owners: [x, y, y],
  marks: { 0: { running: x } },
  shardStates: { 0: running },
}

let at: TreeHost
let taken: (readonly [shards: readonly number[], settings: TakeoverSettings])[]
let service: FailoverService

function begin(situation: Situation = busy, instance = y): void {
  at = new TreeHost(jobTree(situation), instance)
  taken = []
  service = new FailoverService(at.host, {
    take: (shards, how) => {
      taken.push([shards, how])
      return Promise.resolve()
    },
  })
}

/** One look at the job, with what it does; undefined if it does nothing. */
async function step(changes: Partial<FailoverSettings> = {}, now = at.now): Promise<unknown> {
  const wanted = service.step(now, { ...settings, ...changes })
  if (typeof wanted === 'object') {
    await wanted
    return 'done'
  }
  return wanted
}

function die(instance: string): void {
  at.tree.server.expire(instance)
}

beforeEach(() => begin())

describe('a run whose instance dies', () => {
  it('is reported by the leader, and then taken with the state that the report wrote', async () => {
    await step()
    die(x)
    expect(await step()).toBe('done')
    expect(at.tree.shardState(0)).toMatchObject({ state: 'crashed', attempt: 1 })
    expect(at.payloads('run:crashed')).toMatchObject([{ shardingItem: 0, runId: 'first' }])
    await step()
    expect(taken.map(([shards]) => shards)).toEqual([[0]])
    const known = taken[0]?.[1].shardStates?.get(0)
    expect(known).toMatchObject({ value: { state: 'crashed' }, version: 1 })
  })

  it('is taken once with that state: whoever tries again reads it', async () => {
    await step()
    die(x)
    await step()
    await step()
    await step()
    expect(taken.map(([, { shardStates }]) => shardStates?.size)).toEqual([1, 0])
  })

  it('is found by who becomes leader after the death', async () => {
    await step({ leads: false, speaks: false })
    die(x)
    await step({ leads: false, speaks: false })
    expect(await step()).toBe('done')
    expect(at.tree.shardState(0)).toMatchObject({ state: 'crashed' })
  })

  it('is found by who leads again, although the same instances were there before', async () => {
    await step()
    await step({ leads: false, speaks: false })
    at.tree.server.put(
      at.tree.paths.shardState(2),
      JSON.stringify({ ...at.tree.shardState(0), instance: z }),
    )
    expect(await step()).toBe('done')
    expect(at.payloads('run:crashed')).toMatchObject([{ shardingItem: 2 }])
  })

  it('is not looked for while nobody dies', async () => {
    await step()
    const before = at.reads.length
    expect(await step()).toBeUndefined()
    expect(at.reads).toHaveLength(before)
  })

  it('is found if its instance had left the job before it died', async () => {
    at.tree.server.drop(at.tree.paths.instance(x))
    expect(await step()).toBe('done')
    expect(at.payloads('run:crashed')).toEqual([])
    die(x)
    expect(await step()).toBe('done')
    expect(at.payloads('run:crashed')).toMatchObject([{ shardingItem: 0 }])
  })

  it('is looked for again if the look failed', async () => {
    await step()
    die(x)
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await expect(step()).rejects.toThrow('REGISTRY_CONNECTION_LOSS')
    at.beforeRead = () => {}
    expect(await step()).toBe('done')
    expect(at.tree.shardState(0)).toMatchObject({ state: 'crashed' })
  })

  it('is looked for again after a reconnect', async () => {
    await step()
    service.lookAgain()
    at.tree.server.put(
      at.tree.paths.shardState(2),
      JSON.stringify({ ...at.tree.shardState(0), instance: z }),
    )
    expect(await step()).toBe('done')
    expect(at.payloads('run:crashed')).toMatchObject([{ shardingItem: 2 }])
  })

  it('is not reported by who does not lead', async () => {
    await step({ leads: false, speaks: false })
    die(x)
    expect(await step({ leads: false, speaks: false })).toBeUndefined()
    expect(at.committed).toEqual([])
  })

  it('is given up after its last attempt', async () => {
    begin({ ...busy, shardStates: { 0: { ...running, attempt: 3 } } })
    await step()
    die(x)
    await step()
    expect(at.tree.shardState(0)).toMatchObject({ state: 'abandoned' })
    expect(at.payloads('run:abandoned')).toMatchObject([{ shardingItem: 0, attempt: 3 }])
    expect([...at.tree.view.failoverShards]).toEqual([])
    await step()
    expect(taken).toEqual([])
  })

  it('is given up at once without failover', async () => {
    await step({ failover: false })
    die(x)
    expect(await step({ failover: false })).toBe('done')
    expect(at.tree.shardState(0)).toMatchObject({ state: 'abandoned' })
    expect([...at.tree.view.failoverShards]).toEqual([])
    expect(at.payloads('run:abandoned')).toHaveLength(1)
  })

  it('finds the folder made in which it waits', async () => {
    at.tree.server.drop(at.tree.paths.failover)
    await step()
    die(x)
    expect(await step()).toBe('done')
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })
})

describe('a shard that waits for failover', () => {
  const waiting: Situation = {
    instances: [x, y],
    leader: y,
    owners: [x, y, y],
    shardStates: { 0: { ...running, state: 'crashed', instance: z } },
    waitingForFailover: [0],
  }

  const calm = { leads: false, speaks: false }

  it('belongs to the first in rank for two seconds, and then to any', async () => {
    begin(waiting, y)
    expect(await step(calm, 5_000)).toBeUndefined()
    expect(taken).toHaveLength(1)
    begin(waiting, x)
    expect(await step(calm, 5_000)).toBe(7_000)
    expect(await step(calm, 6_999)).toBe(7_000)
    expect(taken).toEqual([])
    expect(await step(calm, 7_000)).toBeUndefined()
    expect(taken).toHaveLength(1)
  })

  it('counts its two seconds afresh when it waits again', async () => {
    begin(waiting, x)
    await step(calm, 5_000)
    at.tree.server.drop(at.tree.paths.failoverShard(0))
    await step(calm, 6_000)
    at.tree.server.put(at.tree.paths.failoverShard(0))
    expect(await step(calm, 20_000)).toBe(22_000)
    expect(taken).toEqual([])
  })

  it('is nobody’s while failover is off, and its mark is cleared by the leader', async () => {
    begin(waiting)
    await step()
    expect(await step({ ...calm, failover: false })).toBeUndefined()
    expect([...at.tree.view.failoverShards]).toEqual([0])
    service.lookAgain()
    await step({ failover: false })
    expect(await step({ failover: false })).toBe('done')
    expect([...at.tree.view.failoverShards]).toEqual([])
    expect(taken).toEqual([])
    expect(await step({ failover: false })).toBeUndefined()
  })
})

describe('the folder of waiting shards', () => {
  const makeReady = async (changes: Partial<FailoverSettings>): Promise<boolean> => {
    at.tree.server.drop(at.tree.paths.failover)
    await service.makeReady({ ...settings, ...changes })
    return at.tree.server.get(at.tree.paths.failoverShards) !== undefined
  }

  it.each([
    [{}, true],
    [{ failover: false }, false],
    [{ leads: false }, false],
  ])('is made by the leader of a job with failover: %j', async (changes, isMade) => {
    expect(await makeReady(changes)).toBe(isMade)
  })
})
