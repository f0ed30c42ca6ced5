import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ZooKeeper } from '@elasticjob/zookeeper'

import { SimulatedCluster } from '../simulated-cluster.ts'
import { everyShardOnce, runsByShard } from '../support/counting.ts'
import { enlist, type FleetMember } from '../support/fleet.ts'

let cluster: SimulatedCluster
let operator: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  operator = await cluster.client()
})

afterEach(() => cluster.stop())

const second = 1000
const job = { jobName: 'job', cron: '* * * * * ?', shardingTotalCount: 4 }
const ours = '10.0.0.9@-@1-abcdefgh'
const java = '10.0.0.9@-@77'

const join = (ip: string): Promise<FleetMember> => enlist(cluster, ip, job, async () => {})
const nodeOf = (instance: string): string => cluster.pathsOf('job').instance(instance)

/** Fire times of the next ten seconds at which a shard did not run. */
async function missing(): Promise<string[]> {
  await cluster.toPhase(500)
  const from = cluster.clock.now()
  await cluster.advance(10 * second)
  const runs = runsByShard(cluster.runs.filter(({ fireTime }) => fireTime > from))
  const expected = everyShardOnce(4, second, from, cluster.clock.now())
  return [...expected.keys()].filter((key) => runs.get(key) !== 1)
}

describe('a node below instances that no session vouches for', () => {
  for (const [kind, instance] of [
    ['of our form', ours],
    ["of Java's form", java],
    ['of no form', 'junk'],
  ] as const) {
    it(`${kind} gets no shards, whether it was there first or comes later`, async () => {
      await join('10.0.1.1')
      await cluster.until(operator.create(nodeOf(instance)))
      await cluster.advance(5 * second)
      expect(await missing()).toEqual([])
      await join('10.0.1.2')
      await cluster.advance(10 * second)
      expect(await missing()).toEqual([])
    })
  }

  it('of our form is deleted after ten minutes, and told', async () => {
    await join('10.0.1.1')
    await cluster.until(operator.create(nodeOf(ours)))
    await cluster.advance(9 * 60 * second)
    expect(await cluster.until(operator.exists(nodeOf(ours)))).toBeDefined()
    await cluster.advance(2 * 60 * second)
    expect(await cluster.until(operator.exists(nodeOf(ours)))).toBeUndefined()
    const told = cluster.told('reconcile:repaired').map(({ what }) => what)
    expect(told.join()).toContain(ours)
  })

  it('is left alone while it is ephemeral', async () => {
    await join('10.0.1.1')
    await cluster.until(operator.create(nodeOf(ours), '', { mode: 'ephemeral' }))
    await cluster.advance(21 * 60 * second)
    expect(await cluster.until(operator.exists(nodeOf(ours)))).toBeDefined()
  })
})
