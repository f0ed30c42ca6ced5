import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, work } from '../support/fleet.ts'
import { operatorAt } from '../support/operator.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000

const job: JobOptions = { jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 4 }

describe('the standing of a process', () => {
  it('tells of its jobs: who leads, and what is owned', async () => {
    const first = await enlist(cluster, '10.0.1.1', job, async () => {})
    const second = await enlist(cluster, '10.0.1.2', job, async () => {})
    await cluster.advance(minute)
    const both = [first, second].flatMap(({ jobs }) => jobs.status().jobs)
    expect(both.filter(({ isLeader }) => isLeader)).toHaveLength(1)
    expect(both).toMatchObject([
      { jobName: 'job', hasLeader: true, shards: 2, due: 0 },
      { jobName: 'job', hasLeader: true, shards: 2, due: 0 },
    ])
  })

  it('says that nobody leads when nobody may', async () => {
    const { jobs } = await enlist(cluster, '10.0.1.1', job, async () => {})
    await cluster.advance(minute)
    const operator = await operatorAt(cluster)
    await cluster.until(operator.disable({ job: 'job', server: '10.0.1.1' }))
    await cluster.advance(1_000)
    expect(jobs.status().jobs).toMatchObject([{ isLeader: false, hasLeader: false }])
    await cluster.until(operator.close())
  })

  it('counts what is due and cannot begin, until it does', async () => {
    const { jobs, ip } = await enlist(cluster, '10.0.1.1', job, async () => {})
    await cluster.toPhase(58_000, minute)
    cluster.network.hold(ip, '10.0.0.1')
    await cluster.advance(3_000)
    expect(jobs.status().jobs).toMatchObject([{ due: 4 }])
    cluster.network.release(ip, '10.0.0.1')
    await cluster.advance(3_000)
    expect(jobs.status().jobs).toMatchObject([{ due: 0 }])
    expect(cluster.runs).toHaveLength(4)
  })

  it('tells of its sessions: the lease while something runs, and the size of the copy', async () => {
    const { jobs } = await enlist(cluster, '10.0.1.1', job, (_, here) => work(here, 10_000))
    await cluster.toPhase(30_000, minute)
    const [idle] = jobs.status().sessions
    expect(idle).toMatchObject({ state: 'connected', leaseLeft: undefined, replicaJobs: 1 })
    await cluster.toPhase(5_000, minute)
    const [busy] = jobs.status().sessions
    expect(busy?.leaseLeft).toBeGreaterThan(0)
    // The marks of the runs have come.
    expect(busy?.replicaNodes).toBe((idle?.replicaNodes ?? 0) + 4)
    expect(busy?.instance).toContain('10.0.1.1')
    await cluster.until(jobs.stop())
    expect(jobs.status()).toMatchObject({ sessions: [{ state: 'closed' }], jobs: [] })
  })
})
