import { beforeEach, describe, expect, it } from 'vitest'

import { stoppedByOperator } from '../../src/execution/run-abort.ts'
import type { ExecutionService } from '../../src/execution/service.ts'
import { calm, ExecutionBench, settled, T } from '../support/execution-bench.ts'
import { failure, period, type TreeHost } from '../support/tree-host.ts'
import { configOf } from '../support/tree-reader.ts'
import { java, type Situation, x, y } from '../tree.ts'

let bench: ExecutionBench
let at: TreeHost
let service: ExecutionService

async function begin(situation?: Situation): Promise<void> {
  bench = await ExecutionBench.begin(situation)
  at = bench.at
  service = bench.service
}

beforeEach(() => begin())

describe('claiming', () => {
  it('runs what is due of the shards it owns, once', async () => {
    await bench.step()
    await bench.step()
    expect(at.begunShards).toEqual([0, 1])
    expect(bench.state()).toMatchObject({ state: 'running', fireTime: T, instance: x, attempt: 1 })
    expect(bench.state(2)).toMatchObject({ state: 'idle', fireTime: T - period })
  })

  it.each([
    ['there is no connection', { isReady: false }],
    ['the replica still reads', { isSynced: false }],
  ])('waits while %s', async (_, change) => {
    Object.assign(at, change)
    await bench.step()
    expect(at.committed).toEqual([])
    Object.assign(at, { isReady: true, isSynced: true })
    await bench.step()
    expect(at.begunShards).toEqual([0, 1])
  })

  it('leaves a shard that the leader gives to somebody else', async () => {
    at.givenAway.add(0)
    await bench.step()
    expect(at.begunShards).toEqual([1])
  })

  it('does not claim a shard that it has lost', async () => {
    service.own(new Set([1]), () => ({ since: 0, byTurn: false }))
    await bench.step()
    expect(at.begunShards).toEqual([1])
    expect(service.shards).toEqual([1])
    expect([service.slotCount, service.ownedCount]).toEqual([1, 1])
  })

  it('does not run what was scheduled before the shard came from Java', async () => {
    service.own(new Set(), () => ({ since: 0, byTurn: false }))
    service.own(new Set([0]), () => ({ since: T, byTurn: false }))
    await bench.step()
    await bench.step()
    expect(at.begun).toEqual([])
    await bench.step(T + period)
    expect(at.begunShards).toEqual([0])
  })

  it('waits for the leader and the owner node to agree', async () => {
    at.tree.server.put(at.tree.paths.owner(0), y)
    service.ownerTouched(0)
    await bench.step()
    await bench.step()
    expect(at.begunShards).toEqual([1])
    at.tree.server.put(at.tree.paths.owner(0), x)
    service.ownerTouched(0)
    await bench.step()
    await bench.step()
    expect(at.begunShards).toEqual([1, 0])
  })

  it('tries five times for one fire time, and again at the next', async () => {
    let tries = 0
    at.beforeCommit = (paths) => {
      if (!paths.includes(at.tree.paths.shardState(0))) return
      tries += 1
      throw failure('REGISTRY_BAD_VERSION')
    }
    for (let time = 0; time < 20; time++) await bench.step()
    expect(tries).toBe(5)
    expect(at.payloads('claim:refused')).toHaveLength(5)
    service.fired(T + period)
    for (let time = 0; time < 20; time++) await bench.step(T + period)
    expect(tries).toBe(10)
    at.beforeCommit = () => {}
    service.fired(T + 2 * period)
    await bench.step(T + 2 * period)
    expect(at.begunShards).toContain(0)
  })

  it('reads the shard again after a refusal', async () => {
    bench.write(0, { fireTime: T, run: 'other', instance: y })
    await bench.step()
    expect(at.payloads('claim:refused')).toMatchObject([{ shardingItem: 0 }])
    await bench.step()
    await bench.step()
    expect(at.begunShards).toEqual([1])
    expect(bench.state()).toMatchObject({ run: 'other', fireTime: T })
  })

  it('says that a node is missing if the registry says so', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_NO_NODE')
    }
    await bench.step()
    expect(at.told).toContain('node missing')
  })

  it('says nothing of a missing node at another refusal', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_BAD_VERSION')
    }
    await bench.step()
    expect(at.told).not.toContain('node missing')
  })

  it('begins once what was committed although its reply was lost', async () => {
    at.afterCommit = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await bench.step()
    expect(at.begun).toEqual([])
    expect(at.payloads('claim:refused')).toEqual([])
    at.afterCommit = () => {}
    await bench.step()
    await bench.step()
    expect(at.begunShards).toEqual([0, 1])
    expect(at.committed).toHaveLength(2)
    await bench.end(at.begun[0], 'success')
    expect(bench.state()).toMatchObject({ state: 'idle', outcome: 'success' })
  })

  it('claims again what did not reach the registry', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await bench.step()
    at.beforeCommit = () => {}
    for (let time = 0; time < 4; time++) await bench.step()
    expect(at.begunShards).toEqual([0, 1])
    expect(at.payloads('claim:refused')).toHaveLength(2)
  })

  it('undoes a claim whose session is not proven', async () => {
    at.isLeaseValid = false
    await bench.step()
    expect(at.begun).toEqual([])
    expect(bench.state()).toMatchObject({
      state: 'idle',
      fireTime: T - period,
      outcome: 'not-started',
    })
    expect(bench.marks()).not.toContain('running')
    at.isLeaseValid = true
    await bench.step()
    expect(at.begunShards).toEqual([0, 1])
  })

  it('undoes a claim that was aborted before its code began', async () => {
    at.afterCommit = () => service.abortAll(new Error('going'))
    await bench.step()
    expect(at.begun).toEqual([])
    expect(bench.state()).toMatchObject({
      state: 'idle',
      fireTime: T - period,
      outcome: 'not-started',
    })
  })

  it('counts what an operator stopped before its code began as run', async () => {
    at.afterCommit = () => service.abortAll(stoppedByOperator())
    await bench.step()
    expect(at.begun).toEqual([])
    expect(bench.state()).toMatchObject({ state: 'idle', fireTime: T, outcome: 'stopped' })
  })

  it('reports fire times that nobody could run', async () => {
    await bench.step(T + 2 * period)
    expect(at.payloads('fire:missed')).toMatchObject([
      { shardingItem: 0, first: T, fireTime: T + period },
      { shardingItem: 1, first: T, fireTime: T + period },
    ])
  })

  it('reports nothing with a claim that is undone', async () => {
    at.isLeaseValid = false
    await bench.step(T + 2 * period)
    expect(at.payloads('fire:missed')).toEqual([])
  })

  it('reports a crashed run that it replaces where failover is off', async () => {
    at.settings = { ...at.settings, failover: false }
    bench.write(0, {
      state: 'running',
      run: 'lost',
      instance: '10.0.0.8@-@1-gonegone',
      fireTime: T - period,
    })
    service.ownerTouched(0)
    await bench.step()
    await bench.step()
    expect(at.payloads('run:abandoned')).toMatchObject([{ shardingItem: 0, runId: 'lost' }])
    expect(at.begunShards).toContain(0)
  })

  it('does not run a shard whose owner Java has changed behind the claim', async () => {
    await begin({ ...calm, instances: [x, y, java] })
    at.afterCommit = () => at.tree.server.put(at.tree.paths.necessary)
    await bench.step()
    expect(at.begun).toEqual([])
    expect(bench.state()).toMatchObject({ outcome: 'not-started', fireTime: T - period })
  })

  it('runs nothing beside Java if nobody can tell what changed behind the claim', async () => {
    await begin({ ...calm, instances: [x, y, java] })
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await bench.step()
    expect(at.begun).toEqual([])
  })
})

describe('a fire time ahead', () => {
  const early = async (): Promise<void> => {
    at.now = T - 5
    service.step(T)
    await settled()
  }

  it('is claimed before it comes, and its runs begin', async () => {
    await early()
    expect(at.begunShards).toEqual([0, 1])
    expect(bench.state()).toMatchObject({ fireTime: T, begin: T })
  })

  it.each<[string, () => void]>([
    ['the process stops', () => (at.isStopping = true)],
    ['the replica does not know', () => (at.isSynced = false)],
    [
      'an operator changes the job state',
      () => at.tree.server.put(at.tree.paths.jobState, '{"paused":true}'),
    ],
    [
      'the configuration changes',
      () => at.tree.server.put(at.tree.paths.config, configOf({ cron: '1 * * * * ?' })),
    ],
    ['its owner changes', () => service.ownerTouched(0)],
    ['its shard is disabled', () => at.tree.server.put(at.tree.paths.mark(0, 'disabled'))],
    [
      'its shard goes to another',
      () => service.own(new Set([1]), () => ({ since: 0, byTurn: false })),
    ],
  ])('does not begin if meanwhile %s', async (_, act) => {
    at.afterCommit = (paths) => {
      if (paths.includes(at.tree.paths.shardState(0)) && paths.includes(at.tree.paths.owner(0)))
        act()
    }
    await early()
    expect(at.begunShards).not.toContain(0)
  })
})

describe('a stored fire time in the future', () => {
  it('is corrected after a write has shown the time of the registry', async () => {
    bench.write(0, { fireTime: T + 60 * period })
    service.ownerTouched(0)
    at.timeAge = 10_000
    await bench.step(T + 1)
    at.told.length = 0
    await bench.step(T + 1)
    expect([at.proofs, at.told]).toEqual([1, ['look']])
    await bench.step(T + 2)
    expect(at.told).toEqual(['look', 'look'])
    expect(at.payloads('fire:corrected')).toMatchObject([
      { shardingItem: 0, stored: T + 60 * period },
    ])
    expect(bench.state()).toMatchObject({ state: 'idle', fireTime: T + 2 })
    await bench.step(T + period)
    await bench.step(T + period)
    expect(bench.state()).toMatchObject({ state: 'running', fireTime: T + period })
    expect(at.payloads('fire:missed')).toEqual([])
  })

  it('silences the shard as long as no write can show the time', async () => {
    bench.write(0, { fireTime: T + 60 * period })
    service.ownerTouched(0)
    at.timeAge = 10_000
    at.isLeaseValid = false
    at.beforeRead = () => {
      at.isReady = false
    }
    await bench.step(T + 1)
    expect(at.payloads('fire:corrected')).toEqual([])
    expect(bench.state()).toMatchObject({ state: 'idle', fireTime: T + 60 * period })
  })
})

describe('without monitorExecution', () => {
  beforeEach(() => {
    at.settings = { ...at.settings, monitorExecution: false, failover: false }
  })

  it('runs after one write has proven the session, and writes no state', async () => {
    await bench.step()
    expect([at.begun.length, at.proofs, at.committed]).toEqual([0, 0, []])
    await bench.step(T + period)
    expect([at.begunShards, at.proofs]).toEqual([[0, 1], 1])
    expect(bench.state()).toMatchObject({ fireTime: T - period, state: 'idle' })
    await bench.step()
    expect(at.begun).toHaveLength(2)
    await bench.end(at.begun[0], 'success')
    await bench.step()
    expect(at.begun).toHaveLength(2)
    await bench.step(T + 2 * period)
    expect(at.begunShards).toEqual([0, 1, 0])
  })
})

describe('what is due', () => {
  it('counts shards that have not begun, unless they are disabled', async () => {
    at.now = T
    // Of a shard that has just come here nothing is known yet.
    service.own(new Set([0, 1, 2]), () => ({ since: 0, byTurn: false }))
    expect(service.dueCount).toBe(2)
    at.tree.server.put(at.tree.paths.mark(1, 'disabled'))
    expect(service.dueCount).toBe(1)
    await bench.step()
    expect(service.dueCount).toBe(0)
  })
})

describe('isYielding', () => {
  it('holds for a shard that moves or that this instance does not own', async () => {
    expect([0, 1, 2].map((shard) => service.isYielding(shard))).toEqual([false, false, true])
    await begin({ ...calm, moving: { 0: y } })
    expect([0, 1].map((shard) => service.isYielding(shard))).toEqual([true, false])
  })

  it('holds for all shards while the flag of a mixed job is up', async () => {
    await begin({ ...calm, necessary: true })
    expect(service.isYielding(0)).toBe(false)
    await begin({ ...calm, necessary: true, instances: [x, y, java] })
    expect(service.isYielding(0)).toBe(true)
  })
})

describe('concerns', () => {
  it('says whether a mark that came or went may matter here', async () => {
    expect([0, 2].map((shard) => service.concerns(shard))).toEqual([true, false])
    at.afterCommit = (paths) => {
      if (paths.includes(at.tree.paths.shardState(1))) throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await bench.step()
    expect([0, 1].map((shard) => service.concerns(shard))).toEqual([false, true])
  })
})
