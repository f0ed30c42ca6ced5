import { childOf, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { everyShardOnce, runsByShard } from '../support/counting.ts'
import { enlist, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster
let operator: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  operator = await cluster.client()
})

afterEach(() => cluster.stop())

const second = 1000
const total = 4
/** So many fire times may pass until everything runs again. */
const bound = 4

const join = (ip: string, options: Partial<JobOptions> = {}): Promise<FleetMember> =>
  enlist(
    cluster,
    ip,
    { jobName: 'job', cron: '* * * * * ?', shardingTotalCount: total, ...options },
    async (context, here) => {
      if (context.fencingToken !== undefined) {
        await context.saveOffset(String(cluster.clock.now()))
      }
      await work(here, 300)
    },
  )

/** All nodes below a path, parents first. */
async function nodesBelow(path: string): Promise<string[]> {
  const { children } = await cluster.until(operator.children(path))
  const below = [path]
  for (const name of children.toSorted()) below.push(...(await nodesBelow(childOf(path, name))))
  return below
}

/** What tells that something was put right, or was found to be other than before. */
const reports = new Set([
  'reconcile:repaired',
  'leader:elected',
  'sharding:changed',
  'registry:data-lost',
])

/** What is made when a run needs it, and again whenever it is not there: nothing has to be put right. */
const isMadeByRuns = (path: string): boolean =>
  /\/sharding\/\d+\/(running|failover|failovering|misfire)$/.test(path) ||
  /\/(leader\/failover|offset|lease)(\/[^/]+)?$/.test(path) ||
  /\/execution\/[^/]+\/\d+$/.test(path)

/** What is wrong after the deletion of a node, once there was time to put it right. */
interface Aftermath {
  readonly path: string
  /** Fire times at which a shard did not run, or ran more than once. */
  readonly wrong: readonly string[]
  /** Fire times of the whole test that a shard ran more than once for. */
  readonly twice: readonly string[]
  readonly failed: readonly unknown[]
  readonly isReported: boolean
}

const noDamage = { wrong: [], twice: [], failed: [], isReported: true }

async function afterDeletion(path: string, phase: number): Promise<Aftermath> {
  await cluster.toPhase(phase)
  const told = cluster.events.length
  await cluster.until(operator.deleteRecursive(path)).catch(() => {})
  await cluster.advance(bound * second)
  await cluster.toPhase(900)
  const from = cluster.clock.now()
  await cluster.advance(3 * second)
  const runs = runsByShard(cluster.runs.filter(({ fireTime }) => fireTime > from))
  const expected = everyShardOnce(total, second, from, cluster.clock.now())
  const completed = cluster.told('run:completed').filter(({ fireTime }) => fireTime > from)
  return {
    path,
    wrong: [...expected.keys()].filter((key) => runs.get(key) !== 1),
    twice: [...runsByShard(cluster.runs)].filter(([, count]) => count > 1).map(([key]) => key),
    failed: completed.filter(({ outcome }) => outcome !== 'success'),
    isReported:
      isMadeByRuns(path) || cluster.events.slice(told).some(({ name }) => reports.has(name)),
  }
}

describe('the nodes of leases', () => {
  it('are made again for a job whose runs are not written down', async () => {
    await join('10.0.1.1', { monitorExecution: false })
    await cluster.advance(3 * second)
    const path = '/shop.state/lease'
    expect(await afterDeletion(path, 600)).toEqual({ path, ...noDamage })
  })
})

describe('a node that somebody deletes while two instances run a job', () => {
  for (const failover of [false, true]) {
    for (const phase of [100, 600]) {
      const moment = phase === 100 ? 'during a run' : 'between two runs'
      it(`${moment}${failover ? ', with failover' : ''}: every shard runs again, none twice, and it is told`, async () => {
        await join('10.0.1.1', { failover })
        await join('10.0.1.2', { failover })
        await cluster.advance(5 * second)
        await cluster.toPhase(100)
        const nodes = [...(await nodesBelow('/shop')), ...(await nodesBelow('/shop.state'))]
        // Both are how operators remove a job, and end an instance.
        const isMeant = /^\/shop\/job(\/instances\/[^/]+)?$/
        for (const path of nodes.filter((one) => !isMeant.test(one))) {
          expect(await afterDeletion(path, phase)).toEqual({ path, ...noDamage })
        }
      })
    }
  }
})
