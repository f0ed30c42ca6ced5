import { isZooKeeperError } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { BarrierPhase } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { FakeJava } from '../support/fake-java.ts'
import { type FleetBody, type FleetMember, work } from '../support/fleet.ts'
import { job, type Manners, minute, Rounds } from './rounds.ts'

let cluster: SimulatedCluster
let rounds: Rounds
let java: FakeJava

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  rounds = new Rounds(cluster)
  java = await FakeJava.start(cluster)
})

afterEach(() => cluster.stop())

const fiveSeconds: FleetBody = (_, here) => work(here, 5_000)

const idOf = ({ ip }: FleetMember): string =>
  cluster.told('job:registered').find(({ instance }) => instance.startsWith(`${ip}@`))?.instance ??
  ''

/** Two of ours with a shard each, and Java, which leads, with the others. */
async function mixed(
  manners: Manners = {},
  shardingTotalCount = 3,
): Promise<[FleetMember, FleetMember]> {
  const { cron, jobListenerTypes } = job()
  await java.makeJob({ cron, shardingTotalCount, jobListenerTypes })
  await java.register()
  await java.lead()
  const first = await rounds.enlist('10.0.1.1', job(), fiveSeconds, manners)
  const second = await rounds.enlist('10.0.1.2', job(), fiveSeconds, manners)
  await java.raise()
  const others = Array.from({ length: shardingTotalCount - 2 }, () => java.instance)
  await java.reshard([idOf(first), idOf(second), ...others])
  await cluster.advance(8_000)
  return [first, second]
}

/** The shards that are registered in a phase; undefined without its folder. */
async function registered(phase: BarrierPhase): Promise<string[] | undefined> {
  try {
    const { children } = await cluster.until(java.client.children(java.paths.guaranteed(phase)))
    return children.toSorted()
  } catch (error) {
    if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
    throw error
  }
}

/** As Java's listener does it at its begin and end. */
async function javaRegisters(phase: BarrierPhase, shard = 2): Promise<void> {
  const path = java.paths.guaranteedShard(phase, shard)
  await cluster.until(java.client.create(path, '', { parents: true }))
}

/** What Java's does when it finds that it was the last, after its callback. */
async function javaReleases(phase: BarrierPhase): Promise<void> {
  await cluster.until(java.client.deleteRecursive(java.paths.guaranteed(phase)))
}

async function latchOf(phase: BarrierPhase): Promise<string> {
  const path = `${java.paths.guaranteeLatch(phase)}/_c_00000000-0000-4000-8000-000000000000-latch-`
  const options = { mode: 'ephemeral', sequential: true, parents: true } as const
  return (await cluster.until(java.client.create(path, '', options))).path
}

describe('in a mixed job', () => {
  it('what begins and ends is registered in the nodes of Java, and who is last takes them away', async () => {
    await mixed()
    await cluster.toPhase(59_000, minute)
    await javaRegisters('started')
    await rounds.pastFire(1_000)
    expect(rounds.order()[0]).toBe('before')
    expect(rounds.order().slice(1).toSorted()).toEqual(['begin 0', 'begin 1'])
    expect(await registered('started')).toBeUndefined()
    await javaRegisters('completed')
    await cluster.advance(10_000)
    expect(rounds.order().slice(3, 5).toSorted()).toEqual(['end 0', 'end 1'])
    expect(rounds.order().slice(5)).toEqual(['after'])
    expect(await registered('completed')).toBeUndefined()
    expect(cluster.told('barrier:timed-out')).toEqual([])
  })

  it('ours wait for Java, and go on when it takes the folder away', async () => {
    await mixed()
    await rounds.pastFire(2_000)
    expect(await registered('started')).toEqual(['0', '1'])
    expect(rounds.order()).toEqual([])
    const held = await latchOf('started')
    await javaRegisters('started')
    await cluster.advance(5_000)
    // Java tells its listeners, in its latch.
    expect(rounds.order()).toEqual([])
    await javaReleases('started')
    await java.delete(held)
    await cluster.advance(1_000)
    expect(rounds.order().toSorted()).toEqual(['begin 0', 'begin 1'])
    await cluster.advance(6_000)
    expect(await registered('completed')).toEqual(['0', '1'])
    await javaRegisters('completed')
    await javaReleases('completed')
    await cluster.advance(10_000)
    expect(rounds.count('after')).toBe(0)
    expect(cluster.told('barrier:timed-out')).toEqual([])
  })

  it('with a disabled shard, which Java waits for in vain, ours see that all have come', async () => {
    await mixed()
    await cluster.until(java.client.create(java.paths.mark(1, 'disabled'), ''))
    await rounds.pastFire(1_000)
    expect(await registered('started')).toEqual(['0'])
    await javaRegisters('started')
    await cluster.advance(2_000)
    expect(rounds.order()).toEqual(['before', 'begin 0'])
    expect(await registered('started')).toBeUndefined()
  })

  it('a folder that is taken away while they register keeps nobody waiting', async () => {
    const [first] = await mixed()
    await rounds.pastFire(2_000)
    // Before anybody could look whether its own registration is there.
    await javaReleases('started')
    await cluster.advance(100)
    expect(rounds.order().toSorted()).toEqual(['begin 0', 'begin 1'])
    first.wire.reset()
    await cluster.advance(2_000)
    expect(first.wire.counts).not.toHaveProperty('multiRead')
  })

  it('the wait is bounded, and what others have registered stays', async () => {
    await mixed({ startedTimeout: 3_000 }, 4)
    await cluster.toPhase(59_000, minute)
    await javaRegisters('started', 2)
    await rounds.pastFire(2_900)
    expect(await registered('started')).toEqual(['0', '1', '2'])
    expect(rounds.order()).toEqual([])
    await cluster.advance(1_000)
    expect(rounds.order().toSorted()).toEqual(['begin 0', 'begin 1'])
    expect(cluster.told('barrier:timed-out')).toMatchObject([
      { phase: 'started', missing: [3] },
      { phase: 'started', missing: [3] },
    ])
    // Of ours nothing is left for the next run.
    expect(await registered('started')).toEqual(['2'])
  })

  it('what has ended is registered no longer than it may wait', async () => {
    await mixed({ startedTimeout: 1_000, completedTimeout: 4_000 })
    await rounds.pastFire(6_500)
    expect(await registered('completed')).toEqual(['0', '1'])
    await cluster.advance(5_000)
    expect(await registered('completed')).toEqual([])
    expect(
      cluster.told('barrier:timed-out').filter(({ phase }) => phase === 'completed'),
    ).toMatchObject([{ missing: [2] }, { missing: [2] }])
    expect(rounds.count('after')).toBe(0)
  })

  it('one who only wants to know the end registers both, for Java counts on it', async () => {
    await mixed({ beforeLastStarted: undefined })
    await cluster.toPhase(59_000, minute)
    await javaRegisters('started')
    await rounds.pastFire(1_000)
    expect(rounds.order().toSorted()).toEqual(['begin 0', 'begin 1'])
    expect(await registered('started')).toBeUndefined()
  })

  it('a listener that fails releases the others all the same', async () => {
    await mixed({ beforeLastStarted: () => Promise.reject(new Error('no room')) })
    await cluster.toPhase(59_000, minute)
    await javaRegisters('started')
    await rounds.pastFire(1_000)
    expect(rounds.count('begin')).toBe(2)
    expect(await registered('started')).toBeUndefined()
  })
})

describe('with monitorExecution off', () => {
  const unwritten = job({ monitorExecution: false })

  it('runs of ours are counted in the same nodes', async () => {
    await rounds.trio(unwritten)
    await rounds.pastFire(10_000)
    const order = rounds.order()
    expect(order[0]).toBe('before')
    expect(order.slice(-1)).toEqual(['after'])
    expect(order).toHaveLength(8)
    await rounds.pastFire(10_000)
    expect(rounds.count('before')).toBe(2)
    expect(rounds.count('after')).toBe(2)
    expect(await registered('started')).toBeUndefined()
    expect(await registered('completed')).toBeUndefined()
  })

  it.each(['started', 'completed'] as const)(
    'what a crashed instance has left of what has %s is made up for by the next run',
    async (phase) => {
      await rounds.trio(unwritten, undefined, { startedTimeout: 5_000 })
      await javaRegisters(phase, 1)
      await rounds.pastFire(20_000)
      rounds.happenings = []
      await rounds.pastFire(20_000)
      const order = rounds.order()
      expect([order[0], order.at(-1), order.length]).toEqual(['before', 'after', 8])
    },
  )
})
