import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Operations } from '../../src/operations.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist } from '../support/fleet.ts'
import {
  attentive,
  first,
  jobOf,
  minute,
  quick,
  second,
  OperatedFleet,
} from '../support/operated-fleet.ts'
import { operatorAt } from '../support/operator.ts'
import { WireTap } from '../support/wire-tap.ts'

let fleet: OperatedFleet
let cluster: SimulatedCluster
let operations: Operations

beforeEach(async () => {
  fleet = await OperatedFleet.start()
  ;({ cluster, operations } = fleet)
})

afterEach(() => fleet.stop())

describe('what an operator asks', () => {
  it('lists jobs, in order, with their states', async () => {
    await fleet.enlist()
    await enlist(cluster, '10.0.1.3', jobOf({ jobName: 'another', cron: undefined }), quick)
    const jobs = await fleet.done(operations.jobs())
    expect(jobs).toMatchObject([
      { jobName: 'another', kind: 'ours', instanceCount: 1, nextFireTime: undefined },
      { jobName: 'job', status: 'OK', legacyStatus: 'OK', instanceCount: 2, serverCount: 2 },
    ])
    const next = (Math.floor(cluster.clock.now() / minute) + 1) * minute
    expect(jobs[1]?.nextFireTime).toEqual(new Date(next))
    expect(await fleet.done(operations.jobNames())).toEqual(['another', 'job'])
  })

  it('describes a job: who owns, leads and runs what, what ran, and what is next', async () => {
    await fleet.enlist(attentive, jobOf({ shardingItemParameters: { 0: 'a' }, label: 'blue' }))
    await cluster.toPhase(1000, minute)
    const job = await fleet.done(operations.job('job'))
    expect(new Set(job.shards.map(({ server }) => server))).toEqual(new Set([first, second]))
    expect(job.shards[0]).toMatchObject({
      parameter: 'a',
      status: 'RUNNING',
      legacyStatus: 'RUNNING',
      state: 'running',
      ownerOnline: true,
      run: { source: 'cron', attempt: 1, end: undefined, stopping: false },
    })
    expect(job.instances.map(({ label, running }) => [label, running.length])).toEqual([
      ['blue', 1],
      ['blue', 1],
    ])
    expect(job.instances.filter(({ leads }) => leads)).toHaveLength(1)
    expect(job.servers).toMatchObject([{ status: 'RUNNING' }, { status: 'RUNNING' }])
    await cluster.toPhase(40_000, minute)
    const [shard] = (await fleet.done(operations.job('job'))).shards
    const fire = Math.floor(cluster.clock.now() / minute) * minute
    expect(shard).toMatchObject({
      state: 'pending',
      completed: true,
      legacyStatus: 'COMPLETED',
      nextFireTime: new Date(fire + minute),
      run: { outcome: 'success', fireTime: new Date(fire) },
    })
    expect(Number(shard?.lastCompleteTime) - Number(shard?.lastBeginTime)).toBeGreaterThan(19_000)
  })

  it('lists servers and instances over all jobs', async () => {
    const [member] = await fleet.enlist()
    await fleet.done(member.jobs.schedule(jobOf({ jobName: 'another' }), () => {}))
    await fleet.done(operations.disable({ job: 'job', server: first }))
    await fleet.done(operations.pause({ job: 'another', server: first }))
    const named = await operatorAt(cluster, { hostNameOf: async (ip) => `host-${ip}` }, '10.0.9.2')
    expect(await fleet.done(named.servers({ hostNames: true }))).toMatchObject([
      {
        server: first,
        hostName: `host-${first}`,
        jobNames: ['another', 'job'],
        jobCount: 2,
        instanceCount: 1,
        disabledJobCount: 1,
        pausedJobCount: 1,
        crashedJobCount: 0,
      },
      { server: second, jobCount: 1 },
    ])
    expect(await fleet.done(named.server(first))).toMatchObject({
      hostName: `host-${first}`,
      jobs: [
        { jobName: 'another', status: 'PAUSED', paused: true, enabled: true },
        { jobName: 'job', status: 'DISABLED', paused: false, enabled: false },
      ],
    })
    await fleet.done(named.close())
    const [one, other] = await fleet.done(operations.instances())
    expect(one).toMatchObject({ server: first, java: false, jobNames: ['another', 'job'] })
    expect(other).toMatchObject({ server: second, jobNames: ['job'] })
  })

  it('dumps a job with its addresses masked, unless they are asked for', async () => {
    await fleet.enlist()
    const masked = await fleet.done(operations.dump('job'))
    expect(masked).toContain('/job/config')
    expect(masked).not.toContain(first)
    expect(await fleet.done(operations.dump('job', { mask: false }))).toContain(first)
  })

  it('tells the registry’s time', async () => {
    const { now, offset } = await fleet.done(operations.registryTime())
    expect(Math.abs(Number(now) - cluster.clock.now())).toBeLessThan(100)
    expect(Math.abs(offset)).toBeLessThan(100)
  })

  it('asks few questions, however many jobs there are', async () => {
    const { jobs } = await cluster.join(first)
    const names = [...Array(120).keys()].map((n) => `job-${n}`)
    await fleet.done(
      Promise.all(names.map((jobName) => jobs.schedule(jobOf({ jobName }), () => {}))),
    )
    await cluster.advance(8000)
    const wire = new WireTap(cluster.network.transport('10.0.9.5'))
    const counted = await operatorAt(cluster, { environment: { transport: wire.transport } })
    wire.reset()
    expect(await fleet.done(counted.jobs())).toHaveLength(120)
    // Sixty nodes a request: of each job eight nodes, then its server and the states of its two shards.
    expect(wire.requests.length).toBeLessThan(28)
    wire.reset()
    await fleet.done(counted.job('job-7'))
    expect(wire.requests.length).toBeLessThan(6)
    await fleet.done(counted.close())
  })

  it('says which name may be meant', async () => {
    await fleet.enlist()
    const pendingReads: readonly (() => Promise<unknown>)[] = [
      () => operations.job('jib'),
      () => operations.configuration('jib'),
      () => operations.dump('jib'),
      () => operations.statistics('jib'),
      () => operations.pause({ job: 'jib' }),
      () => operations.remove({ job: 'jib' }),
      () => operations.trigger('jib'),
    ]
    for (const ask of pendingReads) {
      await expect(fleet.done(ask())).rejects.toMatchObject({
        code: 'JOB_NOT_FOUND',
        message: 'there is no job "jib" in this namespace (did you mean "job"?)',
      })
    }
    const code = 'JOB_SERVER_NOT_FOUND'
    const wrong = '10.0.1.9'
    await expect(fleet.done(operations.server(wrong))).rejects.toMatchObject({ code })
    await expect(fleet.done(operations.disable({ server: wrong }))).rejects.toMatchObject({ code })
    await expect(fleet.done(operations.pause({ job: 'job', server: wrong }))).rejects.toMatchObject(
      {
        code,
      },
    )
    await expect(fleet.done(operations.disableShard('job', 2))).rejects.toMatchObject({
      code: 'JOB_SHARD_NOT_FOUND',
      message: 'job job has no shard 2: it has shards 0 to 1',
    })
    await expect(fleet.done(operations.stopRun('job', 0))).rejects.toMatchObject({
      code: 'JOB_SHARD_IDLE',
    })
  })
})
