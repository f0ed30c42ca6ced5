import type { ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import type { Operations } from '../../src/operations.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { operatorAt } from '../support/operator.ts'
import { enlist, type FleetBody, work } from '../support/fleet.ts'

let cluster: SimulatedCluster
let somebody: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  somebody = await cluster.client()
})

afterEach(() => cluster.stop())

const minute = 60_000
const dead = '10.0.7.7@-@7-deaddead'

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 0/30 * * * ?',
  shardingTotalCount: 3,
  ...options,
})

const join = (ip: string, options = job(), body: FleetBody = async () => {}): Promise<unknown> =>
  enlist(cluster, ip, options, body)

async function put(path: string, text = ''): Promise<void> {
  await cluster.until(somebody.create(path, text, { parents: true }))
}

async function exists(path: string): Promise<boolean> {
  return (await cluster.until(somebody.exists(path))) !== undefined
}

const repairs = (): string[] =>
  cluster
    .told('reconcile:repaired')
    .map(({ what }) => what)
    .toSorted()

/** What nobody owns. */
async function litter(): Promise<string[]> {
  const paths = cluster.pathsOf('job')
  const nodes = [
    paths.mark(0, 'running'),
    paths.mark(1, 'failovering'),
    paths.trigger(dead),
    paths.processing,
  ]
  await put(paths.mark(0, 'running'), dead)
  await put(paths.mark(1, 'failovering'), dead)
  for (const node of nodes.slice(2)) await put(node)
  return nodes
}

const found = [
  `a trigger for ${dead}, which is gone`,
  'marks of shard 0 without a run: running',
  'marks of shard 1 without a run: failovering',
  'the flag of a resharding that nobody is doing',
]

it('a reconcile repairs what nobody owns, now and then, and each repair is told', async () => {
  await join('10.0.1.1', job({ failover: true, reconcileIntervalMinutes: 1 }))
  await join('10.0.1.2', job({ failover: true, reconcileIntervalMinutes: 1 }))
  await cluster.advance(10_000)
  const nodes = await litter()
  await cluster.advance(minute)
  expect(repairs()).toEqual(found)
  for (const node of nodes) expect(await exists(node)).toBe(false)
  await cluster.advance(5 * minute)
  expect(repairs()).toHaveLength(found.length)
})

it('and when somebody comes or goes', async () => {
  await join('10.0.1.1', job({ failover: true }))
  await cluster.advance(10_000)
  await litter()
  await cluster.advance(minute)
  expect(repairs()).toEqual([])
  await join('10.0.1.2', job({ failover: true }))
  await cluster.advance(5_000)
  expect(repairs()).toEqual(found)
})

it('and when a new leader begins', async () => {
  await join('10.0.1.1', job({ failover: true }))
  await cluster.advance(10_000)
  await litter()
  cluster.instances[0]?.machine.die()
  await cluster.advance(30_000)
  await join('10.0.1.2', job({ failover: true }))
  await cluster.advance(10_000)
  expect(repairs()).toEqual(found)
})

it('leaves what runs alone, however long it takes', async () => {
  const options = job({ cron: '0 * * * * ?', reconcileIntervalMinutes: 1, misfire: false })
  await join('10.0.1.1', options, (_, here) => work(here, 5 * minute))
  await cluster.advance(1_000)
  await cluster.toPhase(1_000, minute)
  await cluster.advance(4 * minute)
  expect(repairs()).toEqual([])
  expect(await exists(cluster.pathsOf('job').mark(0, 'running'))).toBe(true)
  expect(cluster.told('run:completed')).toEqual([])
})

it('one look that fails is not the last', async () => {
  await join('10.0.1.1', job({ failover: true, reconcileIntervalMinutes: 1 }))
  await cluster.advance(10_000)
  await litter()
  const ip = '10.0.1.1'
  // The connection is gone when it looks for the first time.
  await cluster.advance(minute - 10_100)
  cluster.network.hold(ip, '10.0.0.1')
  await cluster.advance(2_000)
  cluster.network.reset(ip, '10.0.0.1')
  cluster.network.release(ip, '10.0.0.1')
  await cluster.advance(2 * minute)
  expect(repairs()).toEqual(found)
})

it('at once, when a run of a shard that does not exist any more was handed over', async () => {
  await join('10.0.1.1', job({ failover: true }))
  await cluster.advance(minute)
  const shardingItem = cluster.pathsOf('job').failoverShard(7)
  await put(shardingItem)
  await cluster.advance(1_000)
  expect(await exists(shardingItem)).toBe(false)
  expect(repairs()).toEqual(['a crashed run of shard 7, which does not exist any more'])
})

describe('states of shards beyond a lowered shard count', () => {
  let operations: Operations

  beforeEach(async () => {
    operations = await operatorAt(cluster)
  })

  afterEach(() => cluster.until(operations.close()))

  const perMinute = (options: Partial<JobOptions> = {}): JobOptions =>
    job({ cron: '0 * * * * ?', ...options })

  async function states(): Promise<string[]> {
    const { children } = await cluster.until(somebody.children(cluster.pathsOf('job').shardStates))
    return children.toSorted()
  }

  async function setCount(shardingTotalCount: number): Promise<void> {
    await cluster.until(operations.updateConfiguration('job', { shardingTotalCount }))
  }

  const runsOf = (shard: number): number[] =>
    cluster.runs.filter((run) => run.shardingItem === shard).map((run) => run.fireTime)

  it('go, and a shard that comes back starts at its next fire time', async () => {
    await join('10.0.1.1', perMinute())
    await join('10.0.1.2', perMinute())
    await cluster.toPhase(50_000, minute)
    await cluster.toPhase(10_000, minute)
    expect(await states()).toEqual(['0', '1', '2'])
    await setCount(1)
    await cluster.advance(20_000)
    expect(repairs()).toEqual(['states of shards beyond the shard count: 1, 2'])
    expect(await states()).toEqual(['0'])
    const before = runsOf(2).length
    await cluster.toPhase(10_000, minute)
    await setCount(3)
    await cluster.advance(20_000)
    expect(runsOf(2)).toHaveLength(before)
    await cluster.toPhase(10_000, minute)
    expect(runsOf(2)).toHaveLength(before + 1)
    expect(cluster.told('fire:missed')).toEqual([])
  })

  it('stay while a shard runs, and go after its end', async () => {
    const body: FleetBody = ({ shardingItem }, here) =>
      shardingItem === 2 ? work(here, 3 * minute) : Promise.resolve()
    await join('10.0.1.1', perMinute({ misfire: false }), body)
    await cluster.toPhase(50_000, minute)
    await cluster.toPhase(10_000, minute)
    await setCount(2)
    await cluster.advance(2 * minute)
    expect(await states()).toEqual(['0', '1', '2'])
    await cluster.advance(3 * minute)
    expect(cluster.told('run:recorded').filter((run) => run.shardingItem === 2)).toHaveLength(1)
    expect(await states()).toEqual(['0', '1'])
  })
})
