import { toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { decodeJobState, type JobState } from '../../src/job-tree/job-state.ts'
import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist } from '../support/fleet.ts'
import { readable } from '../support/readable.ts'

const hour = 3_600_000
const job: JobOptions = { jobName: 'job', shardingTotalCount: 1 }

let cluster: SimulatedCluster
let client: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  client = await cluster.client()
})

afterEach(() => cluster.stop())

async function servers(): Promise<readonly string[]> {
  const { children } = await cluster.until(client.children(cluster.pathsOf('job').servers))
  return children.toSorted()
}

async function jobState(): Promise<JobState> {
  return readable(
    decodeJobState(
      toText((await cluster.until(client.get(cluster.pathsOf('job').jobState))).data),
      'node',
    ),
  )
}

const quick = (): Promise<void> => Promise.resolve()

it('containers come and go under ever new addresses, and their servers do not pile up', async () => {
  await enlist(cluster, '10.0.1.1', job, quick)
  for (const ip of ['10.0.1.2', '10.0.1.3']) {
    const member = await enlist(cluster, ip, job, quick)
    await cluster.until(member.jobs.stop())
  }
  await cluster.until(client.set(cluster.pathsOf('job').server('10.0.1.3'), 'DISABLED'))
  await cluster.advance(23 * hour)
  expect(await servers()).toEqual(['10.0.1.1', '10.0.1.2', '10.0.1.3'])
  await cluster.advance(2 * hour)
  expect(await servers()).toEqual(['10.0.1.1', '10.0.1.3'])
  expect(cluster.told('reconcile:repaired')).toMatchObject([{ jobName: 'job' }])
}, 60_000)

it('a new leader does not begin to count anew', async () => {
  const first = await enlist(cluster, '10.0.1.1', job, quick)
  const gone = await enlist(cluster, '10.0.1.2', job, quick)
  await cluster.until(gone.jobs.stop())
  await cluster.advance(13 * hour)
  await enlist(cluster, '10.0.1.3', job, quick)
  await cluster.until(first.jobs.stop())
  await cluster.advance(12 * hour)
  expect(await servers()).not.toContain('10.0.1.2')
}, 60_000)

it('a server that is started anew is not even written down', async () => {
  await enlist(cluster, '10.0.1.1', job, quick)
  const member = await enlist(cluster, '10.0.1.2', job, quick)
  await cluster.until(member.job.stop())
  await cluster.advance(300_000)
  await cluster.until(member.jobs.schedule(job, quick))
  await cluster.advance(hour)
  expect(await jobState()).not.toHaveProperty('emptyServers')
})

it('a server that comes back within the day stays', async () => {
  await enlist(cluster, '10.0.1.1', job, quick)
  const member = await enlist(cluster, '10.0.1.2', job, quick)
  await cluster.until(member.job.stop())
  await cluster.advance(20 * hour)
  expect(Object.keys((await jobState()).emptyServers ?? {})).toEqual(['10.0.1.2'])
  await cluster.until(member.jobs.schedule(job, quick))
  expect(await jobState()).not.toHaveProperty('emptyServers')
  await cluster.advance(10 * hour)
  expect(await servers()).toEqual(['10.0.1.1', '10.0.1.2'])
}, 60_000)
