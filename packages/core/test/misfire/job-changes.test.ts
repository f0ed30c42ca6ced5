import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, type FleetMember } from '../support/fleet.ts'
import { operatorAt } from '../support/operator.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const join = (ip: string, options = job()): Promise<FleetMember> =>
  enlist(cluster, ip, options, async () => {})

/** To a moment after the next fire at which it would have been missed. */
async function pastGrace(): Promise<void> {
  await cluster.advance(10_000)
  await cluster.toPhase(7_000, minute)
}

/** The missed fires of shard 0, as rows. */
const rows = (): [number, number][] =>
  cluster
    .told('fire:missed')
    .filter(({ shardingItem }) => shardingItem === 0)
    .map(({ first, fireTime }) => [first, fireTime])

describe('a job whose schedule is changed twice while nobody leads it', () => {
  const leave = async (): Promise<void> => {
    const member = await join('10.0.1.1')
    await pastGrace()
    member.machine.die()
    await cluster.advance(minute)
    await cluster.toPhase(30_000, minute)
  }

  it('reports the fire times of the first change, too', async () => {
    await leave()
    const from = cluster.clock.now()
    const operations = await operatorAt(cluster)
    await cluster.until(operations.updateConfiguration('job', { cron: '40 * * * * ?' }))
    await cluster.advance(2 * minute)
    await cluster.until(operations.updateConfiguration('job', { cron: '50 0 0 1 1 ?' }))
    await cluster.until(operations.close())
    await join('10.0.1.2', job({ cron: '50 0 0 1 1 ?' }))
    await cluster.advance(minute)
    expect(rows().at(-1)).toEqual([from + 10_000, from + minute + 10_000])
  })

  it('reports them also if the second change comes with an instance that overwrites the configuration', async () => {
    await leave()
    const from = cluster.clock.now()
    const operations = await operatorAt(cluster)
    await cluster.until(operations.updateConfiguration('job', { cron: '40 * * * * ?' }))
    await cluster.until(operations.close())
    await cluster.advance(2 * minute)
    await join('10.0.1.2', job({ cron: '50 0 0 1 1 ?', overwrite: true }))
    await cluster.advance(minute)
    expect(rows().at(-1)).toEqual([from + 10_000, from + minute + 10_000])
  })
})

describe('a job that was disabled on all its servers', () => {
  /** Nobody is there for three fire times; answers the first of them. */
  async function away(member: FleetMember): Promise<number> {
    await pastGrace()
    member.machine.die()
    await cluster.toPhase(30_000, minute)
    const fireTime = cluster.clock.now() + 30_000
    await cluster.advance(3 * minute)
    await join('10.0.1.3')
    await cluster.advance(minute)
    return fireTime
  }

  it('reports what nobody runs after a new server has joined', async () => {
    await join('10.0.1.1')
    const operations = await operatorAt(cluster)
    await cluster.until(operations.disable({ job: 'job', server: '10.0.1.1' }))
    await cluster.until(operations.close())
    await cluster.advance(2 * minute)
    await cluster.toPhase(10_000, minute)
    const member = await join('10.0.1.2')
    await cluster.advance(5_000)
    // What passed while the job was disabled is neither run nor reported.
    expect(cluster.runs).toEqual([])
    const fireTime = await away(member)
    expect(rows()).toEqual([[fireTime, fireTime + 2 * minute]])
  })

  it('reports what nobody runs after another tool has enabled a server', async () => {
    const member = await join('10.0.1.1')
    const operations = await operatorAt(cluster)
    await cluster.until(operations.disable({ job: 'job' }))
    await cluster.until(operations.close())
    await cluster.advance(2 * minute)
    const client = await cluster.client()
    await cluster.until(client.set(cluster.pathsOf('job').server('10.0.1.1'), 'ENABLED'))
    await cluster.advance(5_000)
    const fireTime = await away(member)
    expect(rows()).toEqual([[fireTime, fireTime + 2 * minute]])
  })
})

it('a shard that was disabled, deleted and made again while an instance was away reports what nobody runs since then', async () => {
  const one = job({ shardingTotalCount: 1 })
  const owner = await join('10.0.1.1', one)
  await join('10.0.1.2', one)
  await pastGrace()
  const writer = await cluster.client()
  const paths = cluster.pathsOf('job')
  await cluster.until(writer.create(paths.mark(0, 'disabled')))
  await cluster.advance(1_000)
  const ways = [
    ['10.0.1.2', '10.0.0.1'],
    ['10.0.0.1', '10.0.1.2'],
  ] as const
  for (const [from, to] of ways) cluster.network.holdWay(from, to)
  await cluster.until(writer.deleteRecursive(paths.shard(0)))
  await pastGrace()
  const last = cluster.runs.at(-1)?.fireTime ?? 0
  expect(cluster.runs.at(-1)?.ip).toBe('10.0.1.1')
  owner.machine.die()
  await cluster.advance(3 * minute)
  for (const [from, to] of ways) cluster.network.releaseWay(from, to)
  await cluster.advance(2 * minute)
  expect(rows()).toContainEqual([last + minute, expect.any(Number)])
})
