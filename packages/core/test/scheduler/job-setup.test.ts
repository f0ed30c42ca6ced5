import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job: JobOptions = { jobName: 'job', cron: '* * * * * ?', shardingTotalCount: 1 }
const schedule = ({ jobs }: SimulatedInstance): Promise<unknown> =>
  cluster.until(jobs.schedule(job, async () => {}))

/** The answer to the next transaction of the only session is lost, with the connection. */
function loseReply(): Promise<unknown> {
  const [sessionId] = cluster.faults.sessionIds as [bigint]
  return cluster.faults.loseNextReply({ sessionId, type: opCode.multi })
}

describe('a job whose creation is not answered', () => {
  it('is looked for again, and is there once', async () => {
    const instance = await cluster.join('10.0.1.1')
    const lost = loseReply()
    await schedule(instance)
    await lost
    expect(instance.jobs.jobNames).toEqual(['job'])
    await cluster.advance(3_000)
    expect(cluster.runs).not.toEqual([])
  })

  it('is given up after maxRetries, and can be scheduled again', async () => {
    const instance = await cluster.join('10.0.1.1', { maxRetries: 0 })
    const lost = loseReply()
    await expect(schedule(instance)).rejects.toMatchObject({ code: 'REGISTRY_CONNECTION_LOSS' })
    await lost
    expect(instance.jobs.jobNames).toEqual([])
    await schedule(instance)
    expect(instance.jobs.jobNames).toEqual(['job'])
  })
})

describe('a registration that is not answered', () => {
  it('is known when the connection is back, and the instance runs what it owns', async () => {
    const first = await cluster.join('10.0.1.1')
    await schedule(first)
    const second = await cluster.join('10.0.1.2')
    const sessionId = cluster.faults.sessionIds.at(-1) as bigint
    const lost = cluster.faults.loseNextReply({ sessionId, type: opCode.multi })
    await schedule(second)
    await lost
    await cluster.until(first.jobs.stop())
    await cluster.advance(3_000)
    expect(cluster.runs.at(-1)?.ip).toBe('10.0.1.2')
  })
})
