import { toText } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, work } from '../support/fleet.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000

/** As after a restore: what the registry had is lost, and another run has taken the place and the version of a run. */
async function replaceRun(): Promise<{ replaced: string; other: string }> {
  const client = await cluster.client()
  const path = cluster.pathsOf('job').shardState(0)
  const { data, stat } = await cluster.until(client.get(path))
  const claim = JSON.parse(toText(data)) as { run: string }
  await cluster.until(client.delete(path))
  await cluster.until(client.create(path, ''))
  const other = JSON.stringify({ ...claim, run: 'another' })
  const { version } = await cluster.until(client.set(path, other))
  expect(version).toBe(stat.version)
  await cluster.until(client.close())
  return { replaced: claim.run, other }
}

async function dataOf(path: string): Promise<string> {
  const client = await cluster.client()
  const { data } = await cluster.until(client.get(path))
  await cluster.until(client.close())
  return toText(data)
}

it('a run whose session has expired saves no offset in the session after it', async () => {
  const options = { jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 1 }
  const refused: unknown[] = []
  let runs = 0
  const member = await enlist(cluster, '10.0.1.1', options, async ({ saveOffset }, here) => {
    if (runs++ > 0) return
    // It ignores its abort, and is about to save whenever the next session begins.
    for (let page = 1; page <= 20_000; page += 1) {
      await work(here, 5)
      await saveOffset(String(page)).catch((error: unknown) => refused.push(error))
    }
  })
  await cluster.advance(10_000)
  await cluster.toPhase(1000, minute)
  cluster.network.hold(member.ip, '10.0.0.1')
  while (cluster.told('lease:ended').length === 0) await cluster.advance(100)
  await cluster.advance(minute)
  await replaceRun()
  const before = await dataOf(cluster.pathsOf('job').offset(0))
  cluster.network.reset(member.ip, '10.0.0.1')
  cluster.network.release(member.ip, '10.0.0.1')
  await cluster.advance(10_000)
  expect(cluster.told('registry:renewed')).toHaveLength(1)
  expect(await dataOf(cluster.pathsOf('job').offset(0))).toBe(before)
  expect(refused.length).toBeGreaterThan(0)
})

it('the end of a run does not replace the state of another run that has the same version, after its connection was lost', async () => {
  const options = { jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 1 }
  const member = await enlist(cluster, '10.0.1.1', options, (_, here) => work(here, 5000))
  await cluster.advance(10_000)
  await cluster.toPhase(1000, minute)
  expect(cluster.runs).toHaveLength(1)
  cluster.network.hold(member.ip, '10.0.0.1')
  const { replaced, other } = await replaceRun()
  cluster.network.reset(member.ip, '10.0.0.1')
  cluster.network.release(member.ip, '10.0.0.1')
  await cluster.toPhase(20_000, minute)
  expect(cluster.told('run:superseded')).toMatchObject([{ runId: replaced }])
  expect(await dataOf(cluster.pathsOf('job').shardState(0))).toBe(other)
})
