import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { SimulatedEnsemble } from '@elasticjob/zookeeper-server/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

const [leader, second, third] = ['10.0.5.1', '10.0.5.2', '10.0.5.3'] as const
const minute = 60_000

let cluster: SimulatedCluster
let ensemble: SimulatedEnsemble
/** When the code that was told to end did so. */
let abortedAt: number | undefined

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  const { network, clock } = cluster
  const hosts = [leader, second, third]
  // Members keep to a leader of which they hear nothing for longer than a session lives.
  const syncLimit = 10
  ensemble = new SimulatedEnsemble({
    network,
    clock,
    random: new SeededRandom(7),
    hosts,
    syncLimit,
  })
  abortedAt = undefined
})

afterEach(async () => {
  await cluster.stop()
  ensemble.stop()
})

const job: JobOptions = {
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 1,
  failover: true,
}

const attentive: FleetBody = async ({ signal, attempt }, here) => {
  if (attempt > 1) return
  await work(here, 45_000, signal).catch((error: unknown) => {
    abortedAt = cluster.clock.now()
    throw error
  })
}

/** Each knows one member of the ensemble alone; the first is at work. */
async function atWork(): Promise<[FleetMember, FleetMember]> {
  const server = (host: string): { servers: string } => ({ servers: `${host}:2181` })
  const first = await enlist(cluster, '10.0.1.1', job, attentive, server(second))
  await cluster.advance(2_000)
  await cluster.toPhase(1_000, minute)
  expect(cluster.runs).toHaveLength(1)
  return [first, await enlist(cluster, '10.0.1.2', job, attentive, server(third))]
}

/** The code had been told to end, and had ended, before anybody else began. */
function expectHandOver(): void {
  const [, after] = cluster.runs
  expect(after).toMatchObject({ attempt: 2, source: 'failover' })
  expect(cluster.runs).toHaveLength(2)
  expect(abortedAt).toBeLessThan(after?.at ?? 0)
}

it('a member that is cut off answers pings and reads, which proves nothing', async () => {
  const [, other] = await atWork()
  ensemble.cut(second, leader)
  ensemble.cut(second, third)
  await cluster.advance(19_000)
  expectHandOver()
  expect(cluster.runs[1]?.ip).toBe(other.ip)
  ensemble.heal(second, leader)
  ensemble.heal(second, third)
  await cluster.advance(10_000)
})

it('nor does one whose leader stands still, and ends all sessions when it goes on', async () => {
  await atWork()
  ensemble.pause(leader)
  await cluster.advance(18_000)
  expect(cluster.runs).toHaveLength(1)
  ensemble.resume(leader)
  await cluster.advance(10_000)
  expectHandOver()
})

it('goes on by itself when the ensemble has chosen another leader', async () => {
  const members = await atWork()
  await cluster.toPhase(55_000, minute)
  ensemble.elect(third)
  await cluster.toPhase(5_000, minute)
  await cluster.advance(minute)
  const times = cluster.runs.map(({ fireTime, attempt }) => `${fireTime} ${attempt}`)
  expect(new Set(times).size).toBe(times.length)
  expect(cluster.runs).toHaveLength(3)
  expect(members[0].job.shardingItems.length + members[1].job.shardingItems.length).toBe(1)
})

it('a session that hears of its own end is lost, and no operator has shut anybody down', async () => {
  const servers = `${second}:2181`
  const { job: scheduled } = await enlist(cluster, '10.0.1.1', job, () => Promise.resolve(), {
    servers,
  })
  await cluster.advance(2_000)
  const [before] = cluster.told('job:registered')
  // A member tells a session that its nodes are gone before it tells that the session is.
  ensemble.expireSession(ensemble.sessionIds.at(-1) as bigint)
  await cluster.untilEvent('registry:renewed')
  await cluster.advance(2_000)
  expect(cluster.told('job:stopped')).toEqual([])
  expect(cluster.told('job:registered')).toHaveLength(2)
  expect(cluster.told('job:registered')[1]?.instance).not.toBe(before?.instance)
  await cluster.advance(minute)
  expect(cluster.runs.length).toBeGreaterThan(0)
  expect(scheduled.shardingItems).toEqual([0])
})
