import { beforeEach, describe, expect, it } from 'vitest'

import type { ClaimedRun } from '../../src/execution/run.ts'
import type { ExecutionService } from '../../src/execution/service.ts'
import { ExecutionBench, settled, T } from '../support/execution-bench.ts'
import { failure, period, type TreeHost } from '../support/tree-host.ts'
import { type Situation, y } from '../tree.ts'

let bench: ExecutionBench
let at: TreeHost
let service: ExecutionService

async function begin(situation?: Situation): Promise<void> {
  bench = await ExecutionBench.begin(situation)
  at = bench.at
  service = bench.service
}

beforeEach(() => begin())
describe('the end of a run', () => {
  let run: ClaimedRun | undefined

  beforeEach(async () => {
    await bench.step()
    run = at.begun[0]
  })

  it('is recorded with its outcome, its marks go, and the shard is free', async () => {
    const recorded = run?.recorded()
    await bench.end(run, 'success')
    expect(await recorded).toBe(true)
    expect(bench.state()).toMatchObject({
      state: 'idle',
      outcome: 'success',
      fireTime: T,
      end: at.now,
    })
    expect(bench.marks()).toEqual(['instance'])
    expect(at.payloads('run:recorded')).toMatchObject([{ shardingItem: 0, outcome: 'success' }])
    await bench.step(T + period)
    expect(at.begunShards).toEqual([0, 1, 0])
  })

  it('is recorded with a masked error', async () => {
    await bench.end(run, 'failure', new Error('no password=hunter2 here'))
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'failure' })
    expect(bench.state().error).toContain('no password=')
    expect(bench.state().error).not.toContain('hunter2')
  })

  it('lets its lease go', async () => {
    expect(at.leases).toBe(2)
    await bench.end(run, 'success')
    expect(at.leases).toBe(1)
    service.orphanAll(new Error('expired'))
    expect(at.leases).toBe(0)
  })

  it('has the outcome that came first', async () => {
    run?.finish('success')
    await bench.end(run, 'failure')
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'success' })
  })

  it('has a shard read again whose owner has changed during the run', async () => {
    at.tree.server.put(at.tree.paths.owner(0), y, { version: 5 })
    service.ownerTouched(0)
    await bench.end(run, 'success')
    await bench.step(T + period)
    await bench.step(T + period)
    expect(at.payloads('claim:refused')).toEqual([])
    expect(at.begunShards).toEqual([0, 1])
  })

  it('counts once', async () => {
    await bench.end(run, 'success')
    await bench.end(run, 'failure')
    expect(at.payloads('run:recorded')).toHaveLength(1)
  })

  it('of an aborted run hands the run over', async () => {
    const recorded = run?.recorded()
    await bench.end(run, 'aborted')
    expect(await recorded).toBe(false)
    expect(bench.state()).toMatchObject({ state: 'crashed', outcome: 'aborted', fireTime: T })
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })

  it.each<[string, () => void]>([
    ['failover is off', () => (at.settings = { ...at.settings, failover: false })],
    ['its shard is surplus', () => (at.settings = { ...at.settings, shardingTotalCount: 0 })],
    ['the job is gone', () => at.tree.server.drop(at.tree.paths.config)],
  ])('of an aborted run hands nothing over if %s', async (_, act) => {
    act()
    await bench.end(run, 'aborted')
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'aborted' })
    expect([...at.tree.view.failoverShards]).toEqual([])
  })

  it('of the last of all shards hands the run over', async () => {
    at.settings = { ...at.settings, shardingTotalCount: 1 }
    await bench.end(run, 'aborted')
    expect([...at.tree.view.failoverShards]).toEqual([0])
  })

  it('is told and not written if another run has the shard', async () => {
    bench.write(0, { run: 'other', instance: y })
    const recorded = run?.recorded()
    await bench.end(run, 'success')
    expect(await recorded).toBe(false)
    expect(at.payloads('run:superseded')).toMatchObject([{ shardingItem: 0, outcome: 'success' }])
    expect(bench.state()).toMatchObject({ run: 'other', state: 'running' })
    await bench.step()
    await bench.step()
    expect(at.begunShards).toEqual([0, 1])
  })

  it('is planned again if a mark has gone meanwhile', async () => {
    at.view = at.tree.view
    at.tree.server.drop(at.tree.paths.mark(0, 'running'))
    await bench.end(run, 'success')
    expect(at.told).toContain('node missing')
    expect(at.payloads('run:recorded')).toEqual([])
    at.view = undefined
    await bench.step()
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'success' })
    expect(at.payloads('run:recorded')).toHaveLength(1)
  })

  it('waits for the connection and is written then', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_NOT_CONNECTED')
    }
    at.isReady = false
    await bench.end(run, 'success')
    await bench.step()
    expect(bench.state()).toMatchObject({ state: 'running' })
    at.beforeCommit = () => {}
    at.isReady = true
    await bench.step()
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'success' })
    expect(at.payloads('run:recorded')).toHaveLength(1)
  })

  it('is written once if its reply was lost', async () => {
    at.afterCommit = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await bench.end(run, 'success')
    expect(at.payloads('run:recorded')).toEqual([])
    at.afterCommit = () => {}
    const before = at.committed.length
    await bench.step()
    expect(at.payloads('run:recorded')).toMatchObject([{ outcome: 'success' }])
    expect(at.committed).toHaveLength(before)
  })

  it('waits until the marks are known again', async () => {
    at.isSynced = false
    at.view = { ...at.tree.view, shards: new Map() }
    await bench.end(run, 'success')
    expect(bench.state()).toMatchObject({ state: 'running' })
    at.isSynced = true
    at.view = undefined
    await bench.step()
    expect(bench.state()).toMatchObject({ state: 'idle' })
    expect(bench.marks()).toEqual(['instance'])
  })

  it('does not wait for the rest of the replica if its mark is known', async () => {
    at.isSynced = false
    await bench.end(run, 'success')
    expect(bench.state()).toMatchObject({ state: 'idle' })
  })

  it('takes the marks along if the shard state cannot be read any more', async () => {
    at.tree.server.put(at.tree.paths.shardState(0), '{', { version: 7 })
    await bench.end(run, 'success')
    expect(at.payloads('run:superseded')).toHaveLength(1)
    expect(bench.marks()).toEqual(['instance'])
  })

  it('leaves the marks of its successor', async () => {
    bench.write(0, { run: 'other', instance: y })
    at.tree.server.put(at.tree.paths.mark(0, 'running'), y)
    await bench.end(run, 'success')
    expect(bench.marks()).toEqual(['instance', 'running'])
  })

  it('lets whoever waits for idleness go on, after the last run', async () => {
    let isIdle = false
    void service.idle().then(() => (isIdle = true))
    await bench.end(run, 'success')
    expect([isIdle, service.runningCount]).toEqual([false, 1])
    await bench.end(at.begun[1], 'success')
    expect([isIdle, service.runningCount]).toEqual([true, 0])
  })

  it('gives the slot of a shard that was lost meanwhile back', async () => {
    service.own(new Set([1]), () => ({ since: 0, byTurn: false }))
    expect(service.slotCount).toBe(2)
    await bench.end(run, 'success')
    expect(service.slotCount).toBe(1)
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'success' })
  })
})

describe('a run that outlives its session', () => {
  let run: ClaimedRun | undefined

  beforeEach(async () => {
    await bench.step()
    run = at.begun[0]
    service.orphanAll(new Error('expired'))
  })

  it('is aborted, told, and keeps its shard from running here', async () => {
    expect(run?.abort.isAborted).toBe(true)
    expect(at.payloads('run:orphaned')).toHaveLength(2)
    expect(service.runningCount).toBe(2)
    bench.write(0, { state: 'idle' })
    at.tree.server.drop(at.tree.paths.mark(0, 'running'))
    service.own(new Set([0]), () => ({ since: 0, byTurn: false }))
    await bench.step(T + period)
    await bench.step()
    expect(at.begunShards).toEqual([0, 1])
    await bench.end(run, 'success')
    expect(at.payloads('run:superseded')).toMatchObject([{ shardingItem: 0 }])
    await bench.step()
    expect(at.begunShards).toEqual([0, 1, 0])
  })

  it('writes nothing at its end', async () => {
    const before = at.committed.length
    await bench.end(run, 'success')
    expect(at.committed).toHaveLength(before)
    expect(service.runningCount).toBe(1)
  })
})

describe('a session that ends', () => {
  it('makes no orphan of a claim whose reply was lost, nor of a run whose code has ended', async () => {
    await bench.step()
    at.beforeCommit = () => {
      throw failure('REGISTRY_NOT_CONNECTED')
    }
    at.isReady = false
    await bench.end(at.begun[0], 'success')
    service.orphanAll(new Error('expired'))
    expect(at.payloads('run:orphaned')).toMatchObject([{ shardingItem: 1 }])
    expect(at.payloads('run:superseded')).toMatchObject([{ shardingItem: 0, outcome: 'success' }])
    expect(service.runningCount).toBe(1)
  })

  it('starts nothing of a claim that was committed just before, and holds no lease for it', async () => {
    at.afterCommit = () => service.orphanAll(new Error('expired'))
    await bench.step()
    expect(at.begun).toEqual([])
    expect([at.leases, service.runningCount, service.slotCount]).toEqual([0, 0, 0])
  })

  it('leaves nothing of a claim that was cut off', async () => {
    at.afterCommit = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await bench.step()
    service.orphanAll(new Error('expired'))
    expect(at.payloads('run:orphaned')).toEqual([])
    expect([service.runningCount, service.slotCount]).toEqual([0, 0])
  })
})

describe('a fire time that comes during a run', () => {
  it('meets the runs that began before it', async () => {
    await bench.step()
    service.meet(T)
    await settled()
    expect(at.payloads('fire:misfired')).toEqual([])
    await bench.end(at.begun[1], 'success')
    service.meet(T + period)
    await settled()
    const met = { shardingItem: 0, fireTime: T + period, willRun: true }
    expect(at.payloads('fire:misfired')).toMatchObject([met])
  })

  it('says that it will not run where misfire is off', async () => {
    at.settings = { ...at.settings, misfire: false }
    await bench.step()
    service.meet(T + period)
    await settled()
    expect(at.payloads('fire:misfired')).toMatchObject([{ willRun: false }, { willRun: false }])
  })
})

describe('an operator', () => {
  it('stops the run of an id, and no other', async () => {
    await bench.step()
    const [first, second] = at.begun
    service.stop({ 0: first?.reference.runId ?? '', 1: 'an earlier one' })
    expect([first?.abort.isAborted, second?.abort.isAborted]).toEqual([true, false])
    expect(first?.abort.reason).toMatchObject({ code: 'JOB_RUN_STOPPED' })
  })
})
