import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Operations } from '../../src/operations.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { shardsIn } from '../support/counting.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist } from '../support/fleet.ts'
import {
  attentive,
  deaf,
  first,
  jobOf,
  minute,
  quick,
  second,
  OperatedFleet,
} from '../support/operated-fleet.ts'

let fleet: OperatedFleet
let cluster: SimulatedCluster
let operations: Operations

beforeEach(async () => {
  fleet = await OperatedFleet.start()
  ;({ cluster, operations } = fleet)
})

afterEach(() => fleet.stop())

describe('pause and resume', () => {
  it('of a job stop its fires and not its triggers, and survive a restart', async () => {
    const [member] = await fleet.enlist()
    expect(await fleet.done(operations.pause({ job: 'job' }))).toMatchObject({
      action: 'pause',
      done: [{ jobName: 'job' }],
      skipped: [],
      failed: [],
    })
    await fleet.done(member.jobs.stop())
    await enlist(cluster, '10.0.1.4', jobOf(), quick)
    await cluster.advance(2 * minute)
    expect(cluster.runs).toEqual([])
    expect(cluster.told('fire:missed')).toEqual([])
    expect(await fleet.done(operations.job('job'))).toMatchObject({
      paused: true,
      nextFireTime: undefined,
    })
    await fleet.done(operations.trigger('job'))
    await cluster.advance(2000)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
    cluster.runs.length = 0
    await cluster.toPhase(2000, minute)
    await fleet.done(operations.resume({ job: 'job' }))
    await cluster.advance(10_000)
    // What was scheduled two seconds before is not made up for.
    expect(cluster.runs).toEqual([])
    await cluster.toPhase(1000, minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
  })

  it('of a server stop the fires there, and nowhere else', async () => {
    await fleet.enlist()
    await fleet.done(operations.pause({ job: 'job', server: first }))
    await cluster.advance(2 * minute)
    expect(fleet.hosts).toEqual([second])
    expect(cluster.told('fire:missed')).toEqual([])
    // Just after a fire: what is due elsewhere must not be lost, and what was paused not made up for.
    await cluster.toPhase(20, minute)
    cluster.runs.length = 0
    await fleet.done(operations.resume({ job: 'job', server: first }))
    await cluster.advance(10_000)
    expect(fleet.hosts).toEqual([])
    await cluster.toPhase(1000, minute)
    expect(fleet.hosts).toEqual([first, second])
    expect(cluster.told('fire:missed')).toEqual([])
  })

  it('of a server, at the moment of a fire, lose nothing elsewhere', async () => {
    await fleet.enlist()
    await fleet.done(operations.pause({ job: 'job', server: first }))
    await cluster.toPhase(-3, minute)
    const resumed = operations.resume({ job: 'job', server: first })
    await fleet.done(resumed)
    await cluster.advance(5000)
    expect(fleet.hosts).toContain(second)
  })

  it('make a leader step down', async () => {
    await fleet.enlist()
    const { leader } = await fleet.done(operations.job('job'))
    const server = leader?.split('@')[0] as string
    await fleet.done(operations.pause({ job: 'job', server }))
    await cluster.advance(1000)
    const after = await fleet.done(operations.job('job'))
    expect(after.leader).toBeDefined()
    expect(after.leader).not.toBe(leader)
  })

  it('of a server in all its jobs reach each of them', async () => {
    const [member] = await fleet.enlist()
    await fleet.done(member.jobs.schedule(jobOf({ jobName: 'another' }), () => {}))
    const result = await fleet.done(operations.pause({ server: first }))
    expect(result.done.map(({ jobName }) => jobName)).toEqual(['another', 'job'])
    const resumed = await fleet.done(operations.resume({ server: first }))
    expect(resumed.done.map(({ jobName }) => jobName)).toEqual(['another', 'job'])
    expect(fleet.lines).toContain(`job another is paused on server ${first}`)
  })

  it('say which Java instances were not paused', async () => {
    await fleet.enlist()
    const java = await FakeJava.start(cluster)
    await java.register()
    expect(await fleet.done(operations.pause({ job: 'job' }))).toMatchObject({
      done: [{ jobName: 'job' }],
      skipped: [{ instance: java.instance }],
    })
  })
})

describe('disable and enable', () => {
  it('move the shards away from a server, and back', async () => {
    await fleet.enlist()
    await fleet.done(operations.disable({ job: 'job', server: first }))
    await cluster.toPhase(1000, minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
    expect(fleet.hosts).toEqual([second])
    await fleet.done(operations.enable({ job: 'job', server: first }))
    await cluster.advance(minute)
    expect(fleet.hosts).toEqual([first, second])
  })

  it('of a whole job stop it, and let it go on from its next time', async () => {
    await fleet.enlist(quick, jobOf({ props: { 'catch.up': 'all' } }))
    await fleet.done(operations.disable({ job: 'job' }))
    await cluster.advance(3 * minute)
    expect(cluster.runs).toEqual([])
    expect(await fleet.done(operations.job('job'))).toMatchObject({ status: 'DISABLED' })
    await fleet.done(operations.enable({ server: first }))
    await cluster.advance(20_000)
    expect(cluster.runs).toEqual([])
    await cluster.toPhase(1000, minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
  })

  it('of a shard stop it alone; what was scheduled meanwhile is not made up for', async () => {
    await fleet.enlist(quick, jobOf({ props: { 'catch.up': 'all' } }))
    await fleet.done(operations.disableShard('job', 1))
    await cluster.advance(2 * minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 0])
    expect((await fleet.done(operations.job('job'))).shards[1]).toMatchObject({
      status: 'DISABLED',
      state: 'disabled',
      nextFireTime: undefined,
    })
    cluster.runs.length = 0
    await fleet.done(operations.enableShard('job', 1))
    await cluster.advance(20_000)
    expect(cluster.runs).toEqual([])
    await cluster.toPhase(1000, minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
  })
})

describe('trigger', () => {
  it('runs some shards now, with a parameter, once', async () => {
    const seen: string[] = []
    await fleet.enlist(({ shardingItem, jobParameter }) => {
      seen.push(`${shardingItem} ${jobParameter}`)
      return Promise.resolve()
    })
    seen.length = 0
    const { manualRun, done: messageParts } = await fleet.done(
      operations.trigger('job', { shards: [1], parameter: 'p' }),
    )
    await cluster.advance(2000)
    expect(seen).toEqual(['1 p'])
    expect(messageParts[0]?.text).toContain('manual run 1')
    const { manualRuns } = await fleet.done(operations.job('job'))
    expect(manualRuns).toMatchObject({ last: 1, previous: manualRun, running: undefined })
  })

  it('runs the shards of one server', async () => {
    await fleet.enlist()
    await fleet.done(operations.trigger('job', { servers: [second] }))
    await cluster.advance(2000)
    expect(fleet.hosts).toEqual([second])
  })
})

describe('stopRun', () => {
  it('ends a run, which nobody takes over', async () => {
    await fleet.enlist(attentive, jobOf({ failover: true }))
    await cluster.toPhase(1000, minute)
    expect(await fleet.done(operations.stopRun('job', 1))).toMatchObject({
      action: 'stop-run',
      done: [{ shard: 1 }],
    })
    await cluster.advance(1000)
    const { shards } = await fleet.done(operations.job('job'))
    expect(shards[1]).toMatchObject({ state: 'pending', run: { outcome: 'stopped' } })
    expect(shards[0]?.state).toBe('running')
  })
})

describe('reshard', () => {
  it('has the shards reassigned', async () => {
    await fleet.enlist()
    const changed = cluster.untilEvent('sharding:changed')
    await fleet.done(operations.reshard('job'))
    expect((await changed).reason).toBe('requested')
    expect((await fleet.done(operations.job('job'))).resharding).toBeUndefined()
  })
})

describe('shutdown', () => {
  it('has the instances of a server leave when their runs have ended, told apart from a crash', async () => {
    await fleet.enlist(deaf)
    await cluster.toPhase(1000, minute)
    const seen: number[] = []
    const result = operations.shutdown(
      { job: 'job', server: first },
      { wait: minute, onProgress: ({ waitingFor }) => seen.push(waitingFor.length) },
    )
    expect(await fleet.done(result)).toMatchObject({ done: [{ server: first }], failed: [] })
    expect(seen).toEqual([1, 0])
    expect(cluster.told('run:completed').map(({ outcome }) => outcome)).not.toContain('aborted')
    const { servers, legacyStatus } = await fleet.done(operations.job('job'))
    expect(servers).toMatchObject([{ status: 'SHUTDOWN' }, { server: second }])
    expect(legacyStatus).toBe('PARTIAL_ALIVE')
    await cluster.toPhase(1000, minute)
    expect(fleet.hosts).toContain(second)
  })

  it('says who has not left in time', async () => {
    await fleet.enlist(deaf)
    await cluster.toPhase(1000, minute)
    await expect(
      fleet.done(operations.shutdown({ job: 'job' }, { wait: 500 })),
    ).rejects.toMatchObject({
      code: 'JOB_DEPARTURE_PENDING',
    })
    const everywhere = await fleet.done(operations.shutdown({ server: first }, { wait: 500 }))
    expect(everywhere.failed).toMatchObject([{ jobName: 'job', server: first }])
    const waiting = new AbortController()
    const { signal } = waiting
    const aborted = operations
      .shutdown({ job: 'job' }, { wait: 50_000, signal })
      .catch((error: unknown) => error)
    await cluster.advance(300)
    const before = cluster.clock.now()
    waiting.abort()
    expect(await fleet.done(aborted)).toMatchObject({ code: 'JOB_DEPARTURE_PENDING' })
    expect(cluster.clock.now() - before).toBeLessThan(1000)
  })

  it('deletes the nodes of Java’s instances', async () => {
    const java = await FakeJava.start(cluster)
    await java.makeJob({ shardingTotalCount: 1 })
    await java.register()
    await fleet.done(operations.shutdown({ job: 'job' }))
    expect(await java.text(java.paths.instance(java.instance))).toBeUndefined()
    expect(await fleet.done(operations.job('job'))).toMatchObject({
      kind: 'java',
      status: 'CRASHED',
    })
  })
})
