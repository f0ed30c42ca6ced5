import type { ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'
import { operatorAt } from '../support/operator.ts'

let cluster: SimulatedCluster
let operator: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  operator = await cluster.client()
})

afterEach(() => cluster.stop())

const minute = 60_000
const disabledNode = (): string => cluster.pathsOf('job').mark(0, 'disabled')

const short: FleetBody = () => Promise.resolve()

async function join(ip: string, body = short): Promise<FleetMember> {
  const options = {
    jobName: 'job',
    cron: '0 * * * * ?',
    shardingTotalCount: 1,
    // The instance of the highest id owns the shard, and the first to join leads.
    jobShardingStrategyType: 'AVG_ALLOCATION',
  }
  return enlist(cluster, ip, options, body)
}

/** Shard 0 has run once, is disabled, and a fire time has passed since then. */
async function disabledOverFire(): Promise<void> {
  await cluster.advance(10_000)
  await cluster.toPhase(50_000, minute)
  await cluster.toPhase(50_000, minute)
  expect(cluster.runs).toHaveLength(1)
  await cluster.until(operator.create(disabledNode()))
  await cluster.toPhase(2_000, minute)
  expect(cluster.runs).toHaveLength(1)
}

/** How often shard 0 has run before the next fire time, and after it; and what was reported as missed. */
async function overNextFire(): Promise<unknown[]> {
  await cluster.toPhase(55_000, minute)
  const before = cluster.runs.length
  await cluster.toPhase(10_000, minute)
  return [before, cluster.runs.length, cluster.told('fire:missed')]
}

/** As Java's console does it: the node goes, and nothing else is written. */
const enableBare = (): Promise<void> => cluster.until(operator.delete(disabledNode()))

describe('a shard whose disabled node is deleted, with nothing else written,', () => {
  it('does not make up for the fires it was disabled for', async () => {
    await join('10.0.1.1')
    await disabledOverFire()
    await enableBare()
    expect(await overNextFire()).toEqual([1, 2, []])
  })

  it('does not make up for them when its owner was cut off meanwhile', async () => {
    const { machine } = await join('10.0.1.1')
    await disabledOverFire()
    machine.freeze()
    cluster.faults.dropConnection(cluster.faults.sessionIds.at(-1) as bigint)
    await enableBare()
    machine.wake()
    expect(await overNextFire()).toEqual([1, 2, []])
  })

  it.each([
    ['that does not lead the job', '10.0.1.1', '10.0.1.2'],
    ['that leads the job', '10.0.1.2', '10.0.1.1'],
  ])('does not make up for them when it moves away from an instance %s', async (_, one, other) => {
    const members = [await join(one), await join(other)]
    await disabledOverFire()
    await enableBare()
    await cluster.advance(500)
    const owner = members.find(({ job }) => job.shardingItems.includes(0))
    await cluster.until((owner as FleetMember).jobs.stop())
    expect(await overNextFire()).toEqual([1, 2, []])
  })
})

describe('a shard that is disabled and enabled again while it runs', () => {
  /** Shard 0 runs over a fire time, and is disabled and enabled after it; answers that fire time, and the owner. */
  async function ranOver(whileDisabled: () => Promise<void>): Promise<[number, FleetMember]> {
    const long: FleetBody = ({ signal }, here) => work(here, 10 * minute, signal)
    const members = [await join('10.0.1.1', long), await join('10.0.1.2', long)]
    await cluster.advance(10_000)
    await cluster.toPhase(10_000, minute)
    await cluster.advance(minute)
    expect(cluster.runs).toHaveLength(1)
    const fireTime = cluster.clock.now() - 10_000
    const operations = await operatorAt(cluster)
    await cluster.until(operations.disableShard('job', 0))
    await whileDisabled()
    await cluster.until(operations.enableShard('job', 0))
    await cluster.until(operations.close())
    await cluster.advance(1_000)
    return [fireTime, members.find(({ job }) => job.shardingItems.includes(0)) as FleetMember]
  }

  const seconds = (count: number) => (): Promise<void> => cluster.advance(count * 1000)

  it('has its misfires from before the disable reported by the instance to which it moves', async () => {
    const [fireTime, owner] = await ranOver(seconds(10))
    await cluster.until(owner.jobs.stop())
    await cluster.advance(2 * minute)
    expect(cluster.told('fire:missed')).toMatchObject([{ first: fireTime, fireTime }])
  })

  it('does not make up for the fires it was disabled for', async () => {
    const [fireTime, owner] = await ranOver(seconds(65))
    await cluster.until(owner.jobs.stop())
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(1)
    await cluster.advance(2 * minute)
    expect(cluster.told('fire:missed')).toMatchObject([{ first: fireTime, fireTime }])
  })

  it('has them reported by an instance that joins while it is disabled', async () => {
    const [fireTime, owner] = await ranOver(async () => {
      await join('10.0.1.0')
      await cluster.advance(10_000)
    })
    const others = cluster.instances.filter(({ ip }) => ip !== '10.0.1.0' && ip !== owner.ip)
    for (const { jobs } of others) await cluster.until(jobs.stop())
    await cluster.until(owner.jobs.stop())
    await cluster.advance(2 * minute)
    expect(cluster.told('fire:missed')).toMatchObject([{ first: fireTime, fireTime }])
  })
})

describe('a shard that is enabled while its owner has no connection', () => {
  it('runs a fire time from after the enable', async () => {
    const { machine } = await join('10.0.1.1')
    await disabledOverFire()
    await cluster.toPhase(58_000, minute)
    machine.freeze()
    const operations = await operatorAt(cluster)
    await cluster.until(operations.enableShard('job', 0))
    await cluster.until(operations.close())
    await cluster.toPhase(3_000, minute)
    const fireTime = cluster.clock.now() - 3_000
    machine.wake()
    await cluster.advance(5_000)
    expect(cluster.runs.slice(1)).toMatchObject([{ fireTime }])
    expect(cluster.told('fire:missed')).toEqual([])
  })
})

describe('a shard that is disabled twice', () => {
  /** A fire time passes before each of two disables, and one in each of them; answers the first two. */
  async function disabledTwice(): Promise<readonly number[]> {
    const operations = await operatorAt(cluster)
    const open: number[] = []
    for (let turn = 0; turn < 2; turn += 1) {
      await cluster.toPhase(10_000, minute)
      open.push(cluster.clock.now() - 10_000)
      await cluster.until(operations.disableShard('job', 0))
      await cluster.toPhase(10_000, minute)
      await cluster.until(operations.enableShard('job', 0))
    }
    await cluster.until(operations.close())
    return open
  }

  const missed = (): unknown[] =>
    cluster.told('fire:missed').flatMap(({ first, fireTime }) => [first, fireTime])

  it('has the fire times before each of them reported, and none at which it was disabled', async () => {
    const { jobs } = await join('10.0.1.1')
    await cluster.toPhase(50_000, minute)
    await cluster.until(jobs.stop())
    const open = await disabledTwice()
    await join('10.0.1.1')
    await cluster.advance(2 * minute)
    expect(missed()).toEqual(open.flatMap((time) => [time, time]))
  })

  it('has them reported when it runs meanwhile', async () => {
    const long: FleetBody = ({ signal }, here) => work(here, 10 * minute, signal)
    const members = [await join('10.0.1.1', long), await join('10.0.1.2', long)]
    await cluster.advance(10_000)
    await cluster.toPhase(10_000, minute)
    expect(cluster.runs).toHaveLength(1)
    const open = await disabledTwice()
    await cluster.advance(1_000)
    const owner = members.find(({ job }) => job.shardingItems.includes(0))
    await cluster.until((owner as FleetMember).jobs.stop())
    await cluster.advance(2 * minute)
    expect(missed()).toEqual(open.flatMap((time) => [time, time]))
  })
})
