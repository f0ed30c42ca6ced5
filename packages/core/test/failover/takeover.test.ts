import { describe, expect, it } from 'vitest'

import { ExecutionService } from '../../src/execution/service.ts'
import type { ShardTable } from '../../src/execution/shard-table.ts'
import { Takeover } from '../../src/failover/takeover.ts'
import type { ShardState } from '../../src/job-tree/shard-state.ts'
import { failure, period, TreeHost } from '../support/tree-host.ts'
import { configOf } from '../support/tree-reader.ts'
import { java, jobTree, type Situation, x, y } from '../tree.ts'

const T = 960_000

const crashed: Partial<ShardState> = {
  state: 'crashed',
  run: 'first',
  instance: y,
  fireTime: T,
  attempt: 1,
  begin: T,
}

/** `y` has died in the middle of shard 0, which waits; `x` is there. */
const waiting: Situation = {
  instances: [x],
  leader: x,
  owners: [x, x, x],
  shardStates: { 0: crashed },
  waitingForFailover: [0],
  config: configOf(),
}

interface Bench {
  readonly at: TreeHost
  readonly slots: ShardTable
  readonly execution: ExecutionService
  readonly takeover: Takeover
  readonly take: (shards?: readonly number[]) => Promise<void>
}

function bench(situation: Situation = waiting): Bench {
  const at = new TreeHost(jobTree(situation), x)
  const { host } = at
  const execution = new ExecutionService(host)
  const { slots, claimer } = execution
  const takeover = new Takeover(host, slots, claimer)
  return { at, slots, execution, takeover, take: (shards = [0]) => takeover.take(shards, {}) }
}

describe('a takeover', () => {
  it('runs the fire time of the crashed run as its next attempt', async () => {
    const { at, slots, take } = bench()
    await take()
    expect(at.begunShards).toEqual([0])
    expect(at.tree.shardState(0)).toMatchObject({ state: 'running', attempt: 2, fireTime: T })
    expect(slots.get(0)).toMatchObject({ state: 'running', isStale: true, isOwned: false })
  })

  it('starts at the offset that the crashed run saved, which it reads after its claim', async () => {
    const { at, slots, take } = bench()
    at.afterCommit = () => at.tree.server.put(at.tree.paths.offset(0), 'saved just now')
    await take()
    expect(at.begunShards).toEqual([0])
    expect(slots.get(0)?.offset).toEqual({ value: 'saved just now', version: 0 })
  })

  it('does not start without the saved offset, and waits for the next taker', async () => {
    const { at, take } = bench()
    at.beforeRead = (paths) => {
      if (paths.includes(at.tree.paths.offset(0))) throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await take()
    expect(at.begun).toEqual([])
    expect(at.tree.shardState(0)).toMatchObject({ state: 'crashed', attempt: 1 })
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })

  it('does not start if a Java instance has joined meanwhile', async () => {
    const { at, take } = bench()
    at.afterCommit = () => {
      // The replica has not heard of it.
      at.view = at.tree.view
      at.afterCommit = () => {}
      at.tree.join(java)
    }
    await take()
    expect(at.begun).toEqual([])
    expect([...at.tree.view.failoverShards]).toEqual([0])
    expect(at.tree.shardState(0)).toMatchObject({ state: 'crashed', attempt: 1 })
  })

  it('does not start if nobody knows whether a Java instance has joined', async () => {
    const { at, take } = bench()
    at.beforeRead = (paths) => {
      if (paths.includes(at.tree.paths.instances)) throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await take()
    expect(at.begun).toEqual([])
  })

  it('reports fire times that passed since the crashed run', async () => {
    const { at, take } = bench()
    at.now = T + 3 * period + 1
    await take()
    const since = T + 2 * period
    const missed = { shardingItem: 0, first: T + period, fireTime: since }
    expect(at.payloads('fire:missed')).toMatchObject([missed])
    expect(at.tree.shardState(0)).toMatchObject({ fireTime: T, since })
  })

  it('leaves the shard to be read again once its run has ended', async () => {
    const { at, slots, take } = bench()
    slots.own(new Set([0]), () => ({ since: 0, byTurn: false }))
    await take()
    const run = slots.get(0)?.run
    if (run === undefined) throw new Error('nothing runs')
    run.finish('success')
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(at.tree.shardState(0)).toMatchObject({ state: 'idle', outcome: 'success' })
    expect(slots.get(0)).toMatchObject({ state: 'unread', isOwned: true })
  })

  it('of a manual run carries that manual run', async () => {
    const manualRun = { id: 7, asked: T + 5 }
    const states = { 0: { ...crashed, source: 'trigger', round: 7, fireTime: 0 } as const }
    const { at, slots, take } = bench({
      ...waiting,
      shardStates: states,
      jobState: { running: manualRun },
    })
    await take()
    expect(at.begun).toHaveLength(1)
    expect(slots.get(0)?.run?.reference).toMatchObject({ manualRun: 7, fireTime: T + 5 })
  })

  it('of an earlier manual run carries the time at which the crashed run began', async () => {
    const states = {
      0: { ...crashed, source: 'trigger', round: 6, fireTime: 0, begin: T + 9 } as const,
    }
    const { slots, take } = bench({
      ...waiting,
      shardStates: states,
      jobState: { running: { id: 7, asked: T } },
    })
    await take()
    expect(slots.get(0)?.run?.reference).toMatchObject({ manualRun: undefined, fireTime: T + 9 })
  })
})

describe('a shard that waits for failover', () => {
  it('is left alone while its slot is busy', async () => {
    const { at, slots, take } = bench()
    slots.own(new Set([0]), () => ({ since: 0, byTurn: false }))
    slots.reserve(0)
    await take()
    expect([at.reads, at.committed]).toEqual([[], []])
  })

  it('is left alone while code of an earlier session runs it here', async () => {
    const { at, slots, execution, take } = bench()
    await take()
    execution.orphanAll(new Error('expired'))
    expect(slots.isOrphaned(0)).toBe(true)
    at.tree.server.put(at.tree.paths.failoverShard(0))
    const before = at.committed.length
    await take()
    expect(at.committed).toHaveLength(before)
    expect(slots.get(0)).toBeUndefined()
  })

  it('is given back if its state cannot be read from the registry', async () => {
    const { at, slots, take } = bench()
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await take()
    expect(at.committed).toEqual([])
    expect(slots.get(0)).toBeUndefined()
  })

  it('is given back if its state is unreadable', async () => {
    const { at, slots, take } = bench()
    at.tree.server.put(at.tree.paths.shardState(0), '{')
    await take()
    expect(at.committed).toEqual([])
    expect(slots.get(0)).toBeUndefined()
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })

  it('is dismissed if its run was completed', async () => {
    const states = { 0: { ...crashed, state: 'idle', outcome: 'success' } as const }
    const { at, slots, take } = bench({ ...waiting, shardStates: states })
    await take()
    expect(at.begun).toEqual([])
    expect([...at.tree.view.failoverShards]).toEqual([])
    expect(at.tree.shardState(0)).toMatchObject({ state: 'idle' })
    expect(slots.get(0)).toBeUndefined()
  })

  it('keeps its mark in a mixed job even if no run of ours has crashed', async () => {
    const { at, take } = bench({ ...waiting, shardStates: {}, instances: [x, java] })
    await take()
    expect(at.committed).toEqual([])
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })

  it('is not dismissed while a living instance runs it', async () => {
    const states = { 0: { ...crashed, state: 'running', instance: x } as const }
    const { at, take } = bench({ ...waiting, shardStates: states })
    await take()
    expect(at.committed).toEqual([])
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })

  it('is left to the living Java instance that runs it', async () => {
    const situation = { ...waiting, instances: [x, java], marks: { 0: { running: java } } }
    const { at, slots, take } = bench(situation)
    await take()
    expect(at.committed).toEqual([])
    expect(slots.get(0)).toBeUndefined()
  })

  it('keeps the slot that its owner has', async () => {
    const { at, slots, take } = bench()
    slots.own(new Set([0]), () => ({ since: 0, byTurn: false }))
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await take()
    expect(slots.get(0)).toMatchObject({ state: 'unread', isOwned: true })
  })

  it('is taken beside others, each for itself', async () => {
    const shardStates = { 0: crashed, 1: { ...crashed, state: 'idle' } as const, 2: crashed }
    const { at, take } = bench({ ...waiting, shardStates, waitingForFailover: [0, 1, 2] })
    at.beforeCommit = (paths) => {
      if (paths.includes(at.tree.paths.shardState(2))) throw failure('REGISTRY_BAD_VERSION')
    }
    await take([0, 1, 2])
    expect(at.begunShards).toEqual([0])
    expect([...at.tree.view.failoverShards]).toEqual([2])
    expect(at.payloads('claim:refused')).toMatchObject([{ shardingItem: 2 }])
  })

  it('is taken by the state that the caller knows, without another read', async () => {
    const { at, takeover } = bench()
    const value = at.tree.shardState(0) as ShardState
    await takeover.take([0], { shardStates: new Map([[0, { value, version: 0 }]]) })
    expect(at.begunShards).toEqual([0])
    expect(at.reads.flat()).not.toContain(at.tree.paths.shardState(0))
  })
})
