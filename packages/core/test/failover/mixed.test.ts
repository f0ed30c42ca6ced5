import { part } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, expect, it } from 'vitest'

import type { JobOptions, ShardingContext } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster
let java: FakeJava

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  java = await FakeJava.start(cluster)
})

afterEach(() => cluster.stop())

const minute = 60_000
const enough = 25_000
const job: JobOptions = {
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 5,
  failover: true,
}

const tenSeconds: FleetBody = async ({ attempt }, here) => {
  await work(here, attempt === 1 ? 30_000 : 10_000)
}

let body: FleetBody = tenSeconds

beforeEach(() => {
  body = tenSeconds
})

const idOf = ({ ip }: FleetMember): string =>
  cluster.told('job:registered').find(({ instance }) => instance.startsWith(`${ip}@`))?.instance ??
  ''

/**
 * Java leads and owns shard 3. Of two of ours the first owns the shards that are named, the second the others, and both
 * are at work.
 */
async function underJava(...mine: number[]): Promise<[FleetMember, FleetMember]> {
  const { cron, shardingTotalCount } = job
  await java.makeJob({ cron, shardingTotalCount, failover: true })
  await java.register()
  await java.lead()
  const victim = await enlist(cluster, '10.0.1.1', job, body)
  const survivor = await enlist(cluster, '10.0.1.2', job, body)
  await java.raise()
  const others = [0, 1, 2].map((shard) => idOf(mine.includes(shard) ? victim : survivor))
  await java.reshard([...others, java.instance, idOf(survivor)])
  await cluster.advance(10_000)
  await cluster.toPhase(1_000, minute)
  expect(cluster.runs).toHaveLength(4)
  return [victim, survivor]
}

const taken = (): number[] =>
  cluster.runs.filter(({ source }) => source === 'failover').map(({ shardingItem }) => shardingItem)

const latchLine = async (): Promise<readonly string[]> =>
  (await cluster.until(java.client.children(java.paths.failoverLatch))).children

it('a crashed run of ours is turned over for a Java leader, and taken, in the latch of Java', async () => {
  const [victim, survivor] = await underJava(1)
  victim.machine.die()
  await cluster.advance(enough)
  expect(cluster.told('run:crashed')).toMatchObject([{ shardingItem: 1 }])
  expect(cluster.runs.at(-1)).toMatchObject({ ip: survivor.ip, shardingItem: 1, attempt: 2 })
  expect(await latchLine()).toEqual([])
  expect(await java.text(java.paths.leaderInstance)).toBe(java.instance)
  await cluster.advance(15_000)
  for (const mark of ['running', 'failover', 'failovering'] as const) {
    expect(await java.text(java.paths.mark(1, mark))).toBeUndefined()
  }
})

it('waits for the latch, whoever holds it', async () => {
  const [victim] = await underJava(1)
  const latch = `${java.paths.failoverLatch}/_c_00000000-0000-4000-8000-000000000000-latch-`
  const held = await cluster.until(
    java.client.create(latch, '', { mode: 'ephemeral', sequential: true, parents: true }),
  )
  victim.machine.die()
  await cluster.advance(enough)
  expect(cluster.told('run:crashed')).toEqual([])
  await java.delete(held.path)
  await cluster.advance(15_000)
  expect(taken()).toEqual([1])
})

it('what Java has taken over is not run by ours as well, and its next time is', async () => {
  const [victim, survivor] = await underJava(1)
  const { paths, instance } = java
  const victimNode = paths.instance(idOf(victim))
  victim.machine.die()
  while ((await java.text(victimNode)) !== undefined) await cluster.advance(1)
  // As Java does it, at once and in its latch.
  await cluster.until(
    java.client.multi([
      part.create(paths.mark(1, 'failover'), instance, { mode: 'ephemeral' }),
      part.create(paths.mark(1, 'failovering'), instance),
      part.set(paths.mark(1, 'running'), instance),
    ]),
  )
  await java.raise()
  await java.reshard([0, 1, 2, 3, 4].map((shard) => (shard === 3 ? instance : idOf(survivor))))
  await cluster.advance(10_000)
  expect(taken()).toEqual([])
  expect(await java.text(paths.mark(1, 'running'))).toBe(instance)
  for (const mark of ['running', 'failover', 'failovering'] as const) {
    await java.delete(paths.mark(1, mark))
  }
  await cluster.toPhase(1_000, minute)
  expect(cluster.runs.slice(4).map(({ shardingItem }) => shardingItem)).toContain(1)
  expect(taken()).toEqual([])
})

it('one at a time', async () => {
  const [victim, survivor] = await underJava(0, 1, 2)
  const resharded = [java.instance, idOf(survivor), java.instance, java.instance, idOf(survivor)]
  victim.machine.die()
  await cluster.untilEvent('run:crashed')
  await cluster.advance(1_000)
  await java.raise()
  await java.reshard(resharded)
  expect(cluster.told('run:crashed')).toHaveLength(3)
  expect(taken()).toHaveLength(1)
  await cluster.advance(11_000)
  expect(taken()).toHaveLength(2)
  await cluster.advance(11_000)
  expect(taken().toSorted((a, b) => a - b)).toEqual([0, 1, 2])
})

it('none while the flag is up', async () => {
  const [victim] = await underJava(1)
  await java.raise()
  victim.machine.die()
  await cluster.advance(enough)
  expect(cluster.told('run:crashed')).toHaveLength(1)
  expect(taken()).toEqual([])
  // Not even tried: what is taken and given back keeps everybody busy.
  expect(cluster.told('run:recorded').filter((run) => run.outcome === 'not-started')).toEqual([])
  await java.delete(java.paths.necessary)
  await cluster.advance(1_000)
  expect(taken()).toEqual([1])
})

it('what Java says has crashed is left to Java, and cleared when nobody of Java is left', async () => {
  await underJava(1)
  await cluster.toPhase(50_000, minute)
  await cluster.until(
    java.client.create(java.paths.failoverShard(2), '', { mode: 'persistent', parents: true }),
  )
  await cluster.advance(5_000)
  expect(taken()).toEqual([])
  expect(await java.text(java.paths.failoverShard(2))).toBe('')
  await java.die()
  java = await FakeJava.start(cluster, '10.0.9.8')
  await cluster.advance(enough)
  expect(await java.text(java.paths.failoverShard(2))).toBeUndefined()
  expect(taken()).toEqual([])
})

it('what a dead Java had taken over is taken once more, and nothing keeps the job mixed', async () => {
  await underJava(1)
  await cluster.toPhase(40_000, minute)
  const { instance, paths } = java
  await cluster.until(
    java.client.multi([
      part.create(paths.mark(2, 'failovering'), instance),
      part.create(paths.mark(0, 'failovering'), instance),
    ]),
  )
  await java.die()
  java = await FakeJava.start(cluster, '10.0.9.8')
  await cluster.advance(40_000)
  expect(taken().toSorted((a, b) => a - b)).toEqual([0, 2])
  for (const shard of [0, 2]) {
    expect(await java.text(paths.mark(shard, 'failovering'))).toBeUndefined()
  }
  expect((await java.owners()).some((owner) => owner === instance)).toBe(false)
})

it('says nothing of shards that Java owns', async () => {
  const { cron, shardingTotalCount } = job
  await java.makeJob({ cron, shardingTotalCount, failover: true })
  const member = await enlist(cluster, '10.0.1.1', job, async () => {})
  await cluster.advance(2_000)
  expect(member.job.isLeader).toBe(true)
  await java.register()
  // It is silent: it runs nothing, or marks nothing.
  await cluster.toPhase(30_000, minute)
  await cluster.advance(2 * minute)
  expect(await java.owners()).toContain(java.instance)
  expect(cluster.told('fire:missed')).toEqual([])
})

it('a run that died with the last of Java is taken over by ours, once', async () => {
  const [first] = await underJava(0, 1)
  await cluster.until(java.client.create(java.paths.mark(3, 'running'), java.instance))
  await cluster.advance(35_000)
  const { instance, paths } = java
  await java.die()
  java = await FakeJava.start(cluster, '10.0.9.8')
  await cluster.advance(15_000)
  expect(cluster.told('run:crashed')).toMatchObject([{ shardingItem: 3, instance, attempt: 1 }])
  expect(taken()).toEqual([3])
  expect(cluster.runs.at(-1)?.fireTime).toBe(cluster.runs[0]?.fireTime)
  await cluster.toPhase(50_000, minute)
  expect(taken()).toEqual([3])
  expect(await java.text(paths.mark(3, 'running'))).toBeUndefined()
  expect(await java.text(paths.mark(3, 'failovering'))).toBeUndefined()
  const keys = cluster.runs.map((run) => [run.shardingItem, run.fireTime, run.attempt].join())
  expect(new Set(keys).size).toBe(keys.length)
  expect(first.job.shardingItems.length).toBeGreaterThan(0)
})

it('what Java took over and left when failover was switched off silences nothing', async () => {
  await underJava(1)
  const { paths, instance } = java
  await cluster.advance(35_000)
  // It heard of the change when it had taken the shard over already, and never begins it.
  await cluster.until(
    java.client.multi([
      part.create(paths.mark(1, 'failover'), instance, { mode: 'ephemeral' }),
      part.create(paths.mark(1, 'failovering'), instance),
    ]),
  )
  const { cron, shardingTotalCount } = job
  await java.configure({ cron, shardingTotalCount, failover: false })
  await cluster.toPhase(1_000, minute)
  expect(cluster.runs.slice(4).map(({ shardingItem }) => shardingItem)).toContain(1)
  for (const mark of ['failover', 'failovering'] as const) {
    expect(await java.text(paths.mark(1, mark))).toBeUndefined()
  }
})

it('what crashed in a shard that Java has taken away meanwhile is found when Java makes it again', async () => {
  const [victim, survivor] = await underJava(1)
  const { cron } = job
  victim.machine.die()
  // There are fewer shards, until the session of the dead is gone as well.
  await java.configure({ cron, shardingTotalCount: 1, failover: true })
  await cluster.until(java.client.deleteRecursive(java.paths.shard(1)))
  await cluster.advance(enough)
  expect(cluster.told('run:crashed')).toEqual([])
  await java.configure({ cron, shardingTotalCount: 5, failover: true })
  await java.raise()
  await java.reshard([0, 1, 2, 3, 4].map((shard) => (shard === 3 ? java.instance : idOf(survivor))))
  await cluster.advance(2_000)
  // It belongs to a shard that is no more: it is told, and not run again.
  expect(cluster.told('run:abandoned')).toMatchObject([{ shardingItem: 1 }])
  expect(taken()).toEqual([])
  await cluster.toPhase(1_000, minute)
  expect(cluster.runs.findLast(({ shardingItem }) => shardingItem === 1)).toMatchObject({
    ip: survivor.ip,
    source: 'cron',
    attempt: 1,
  })
})

it('a run of ours that is taken over beside Java starts at the offset that the crashed run saved', async () => {
  const given: (string | undefined)[] = []
  body = async ({ attempt, offset, saveOffset, shardingItem }, here) => {
    if (shardingItem === 1) {
      given.push(offset)
      await saveOffset(`saved by attempt ${attempt}`)
    }
    await tenSeconds({ attempt } as ShardingContext, here)
  }
  const [victim] = await underJava(1)
  victim.machine.die()
  await cluster.advance(enough)
  expect(given).toEqual([undefined, 'saved by attempt 1'])
  await cluster.advance(15_000)
  expect(await java.text(java.paths.offset(1))).toBe('saved by attempt 2')
})
