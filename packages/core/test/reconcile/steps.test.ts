import { beforeEach, describe, expect, it } from 'vitest'

import { ReconcileService, type ReconcileSettings } from '../../src/reconcile/service.ts'
import { failure, TreeHost } from '../support/tree-host.ts'
import { java, jobTree, type Situation, x, y } from '../tree.ts'

const settings: ReconcileSettings = { leads: true, total: 2, failover: true, interval: 60_000 }
const idle = { state: 'idle' } as const

/** A mark of a run that nobody has begun. */
const left: Situation = {
  instances: [x],
  leader: x,
  owners: [x, x],
  shardStates: { 0: idle, 1: idle },
  marks: { 0: { running: y } },
}

let at: TreeHost
let service: ReconcileService

function begin(situation: Situation = left): void {
  at = new TreeHost(jobTree(situation), x)
  service = new ReconcileService(at.host)
}

async function step(now: number, changes: Partial<ReconcileSettings> = {}): Promise<unknown> {
  const wanted = service.step(now, { ...settings, ...changes })
  if (typeof wanted !== 'object') return wanted
  await wanted
  return 'done'
}

const isLeft = (): boolean => at.tree.view.shards.get(0)?.running === true

function leave(): void {
  at.tree.server.put(at.tree.paths.mark(0, 'running'), y)
}

beforeEach(() => begin())

describe('a leader', () => {
  it('repairs what is left when it is elected, and tells it', async () => {
    expect(await step(1_000)).toBe('done')
    expect(isLeft()).toBe(false)
    expect(at.payloads('reconcile:repaired')).toHaveLength(1)
  })

  it('looks again after the interval, and not before', async () => {
    await step(1_000)
    leave()
    expect(await step(60_999)).toBe(61_000)
    expect(isLeft()).toBe(true)
    expect(await step(61_000)).toBe('done')
    expect(isLeft()).toBe(false)
  })

  it('looks without an interval only when members change', async () => {
    await step(1_000, { interval: 0 })
    leave()
    expect(await step(1_000_000, { interval: 0 })).toBeUndefined()
    at.tree.join(y)
    expect(await step(1_000_001, { interval: 0 })).toBe('done')
    expect(isLeft()).toBe(false)
  })

  it('looks again when it leads again', async () => {
    await step(1_000)
    leave()
    expect(await step(2_000, { leads: false })).toBeUndefined()
    expect(isLeft()).toBe(true)
    expect(await step(3_000)).toBe('done')
    expect(isLeft()).toBe(false)
  })

  it('repairs nothing while Java is about', async () => {
    begin({ ...left, instances: [x, java] })
    expect(await step(1_000)).toBeUndefined()
    expect(at.reads).toEqual([])
  })

  it('looks again if its look failed', async () => {
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await expect(step(1_000)).rejects.toThrow('REGISTRY_CONNECTION_LOSS')
    at.beforeRead = () => {}
    expect(await step(1_001)).toBe('done')
    expect(isLeft()).toBe(false)
  })

  it('tells nothing of a repair that was refused', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_BAD_VERSION')
    }
    expect(await step(1_000)).toBe('done')
    expect(at.payloads('reconcile:repaired')).toEqual([])
  })

  it('repairs nothing of a shard whose state is unreadable', async () => {
    at.tree.server.put(at.tree.paths.shardState(0), '{')
    expect(await step(1_000)).toBe('done')
    expect(isLeft()).toBe(true)
  })

  it('repairs a shard beyond the shard count that waits for failover at once', async () => {
    await step(1_000)
    at.tree.server.put(at.tree.paths.failoverShard(2))
    expect(await step(1_001)).toBe('done')
    expect([...at.tree.view.failoverShards]).toEqual([])
  })
})

describe('states beyond the shard count', () => {
  const surplus: Situation = {
    ...left,
    marks: {},
    shardStates: { 0: idle, 1: idle, 2: idle, 5: idle },
    jobState: { timeline: [] },
  }
  const states = (): string[] => at.tree.server.children(at.tree.paths.shardStates)

  it('are deleted by a leader once it has looked for leftovers', async () => {
    begin(surplus)
    await step(1_000)
    expect(await step(1_001)).toBe('done')
    expect(states()).toEqual(['0', '1'])
    expect(at.payloads('reconcile:repaired')).toHaveLength(1)
    await step(1_002)
    const reads = at.reads.length
    expect(await step(1_003)).toBe(61_000)
    expect(at.reads).toHaveLength(reads)
  })

  it('are looked for again when the shard count was lowered', async () => {
    begin(surplus)
    await step(1_000)
    await step(1_001)
    await step(1_002)
    expect(await step(1_003, { total: 1 })).toBe('done')
    expect(states()).toEqual(['0', '1'])
    at.tree.server.drop(at.tree.paths.shard(1))
    expect(await step(61_003, { total: 1 })).toBe('done')
    await step(61_004, { total: 1 })
    expect(states()).toEqual(['0'])
  })

  it('stay while the job state does not allow it, and go afterwards', async () => {
    begin({ ...surplus, jobState: { timeline: [], running: { id: 1, asked: 0 } } })
    await step(1_000)
    expect(await step(1_001)).toBe(61_000)
    expect(states()).toHaveLength(4)
  })

  it('are tried again after a minute if the deletion was refused', async () => {
    begin(surplus)
    await step(1_000, { interval: 0 })
    at.beforeCommit = () => {
      throw failure('REGISTRY_BAD_VERSION')
    }
    await step(1_001, { interval: 0 })
    at.beforeCommit = () => {}
    expect(await step(1_002, { interval: 0 })).toBe(61_001)
    expect(await step(61_001, { interval: 0 })).toBe('done')
    expect(states()).toEqual(['0', '1'])
  })
})
