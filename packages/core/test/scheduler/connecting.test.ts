import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job: JobOptions = { jobName: 'job', cron: '* * * * * ?', shardingTotalCount: 1 }

describe('a connection that breaks before everything stands', () => {
  it('while the folders are made: is made again', async () => {
    const lost = cluster.faults.loseNextReply({ type: opCode.create2 })
    const { jobs } = await cluster.join('10.0.1.1')
    await lost
    await cluster.until(jobs.schedule(job, async () => {}))
    await cluster.advance(3_000)
    expect(cluster.runs).not.toEqual([])
  })

  it('while the nodes of the session are made: is made again, under another id', async () => {
    await cluster.join('10.0.1.1')
    const lost = cluster.faults.loseNextReply({ type: opCode.create2 })
    await cluster.join('10.0.1.2')
    await lost
    const client = await cluster.client('10.0.1.3')
    // The node of the session that was given up goes when that session expires.
    await cluster.advance(30_000)
    const { children } = await cluster.until(client.children('/shop.state/alive'))
    expect(children.filter((id) => id.startsWith('10.0.1.2@'))).toHaveLength(1)
  })

  it('is given up after maxRetries', async () => {
    await cluster.join('10.0.1.1')
    const lost = cluster.faults.loseNextReply({ type: opCode.create2 })
    const joining = cluster.join('10.0.1.2', { maxRetries: 0 })
    await expect(joining).rejects.toMatchObject({ code: 'REGISTRY_CONNECTION_LOSS' })
    await lost
  })
})
