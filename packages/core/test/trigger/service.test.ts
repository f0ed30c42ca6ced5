import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Job, ShardingContext } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster
let contexts: ShardingContext[]

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  contexts = []
})

afterEach(() => cluster.stop())

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    cluster.clock.setTimer(resolve, milliseconds)
  })

/** A job of three shards on two instances, whose shards take a second. */
async function start(cron?: string, monitorExecution = true): Promise<Job[]> {
  const jobs: Job[] = []
  for (const ip of ['10.0.1.1', '10.0.1.2']) {
    const instance = await cluster.join(ip)
    const options = { jobName: 'job', cron, shardingTotalCount: 3, monitorExecution }
    const scheduled = instance.jobs.schedule(options, async (context) => {
      contexts.push(context)
      await wait(1_000)
    })
    jobs.push(await cluster.until(scheduled))
  }
  await cluster.advance(10_000)
  contexts.length = 0
  cluster.runs.length = 0
  return jobs
}

const shards = (): number[] =>
  contexts.map(({ shardingItem }) => shardingItem).toSorted((a, b) => a - b)

describe('a manual run', () => {
  it('of a one-off job runs every shard once, wherever it is, with the parameter of the manual run', async () => {
    const [, job] = (await start()) as [Job, Job]
    await cluster.until(job.trigger({ parameter: 'again' }))
    const { manualRun } = await cluster.untilEvent('trigger:completed')
    expect(manualRun).toBe(1)
    expect(shards()).toEqual([0, 1, 2])
    expect(new Set(contexts.map(({ jobParameter }) => jobParameter))).toEqual(new Set(['again']))
    expect(new Set(contexts.map(({ source }) => source))).toEqual(new Set(['trigger']))
    await cluster.advance(60_000)
    expect(contexts).toHaveLength(3)
  })

  it('that is asked for while one runs waits for it; a third one is refused', async () => {
    const [job, other] = (await start()) as [Job, Job]
    expect((await cluster.until(job.trigger({ parameter: 'a' }))).id).toBe(1)
    await cluster.advance(100)
    expect((await cluster.until(other.trigger({ parameter: 'b' }))).id).toBe(2)
    await expect(cluster.until(job.trigger({ parameter: 'c' }))).rejects.toMatchObject({
      code: 'JOB_TRIGGER_PENDING',
    })
    // The same again is the one that waits already.
    expect((await cluster.until(job.trigger({ parameter: 'b' }))).id).toBe(2)
    await cluster.untilEvent('trigger:completed', ({ manualRun }) => manualRun === 2)
    expect(contexts.map(({ jobParameter }) => jobParameter)).toEqual(['a', 'a', 'a', 'b', 'b', 'b'])
    expect((await cluster.until(job.trigger({ parameter: 'c' }))).id).toBe(3)
    await cluster.untilEvent('trigger:completed')
    expect(contexts).toHaveLength(9)
  })

  it('that is asked for just when another one ends is not forgotten', async () => {
    const [job] = (await start()) as [Job, Job]
    for (let manualRun = 1; manualRun <= 4; manualRun++) {
      const ended = cluster.untilEvent('run:recorded', ({ shardingItem }) => shardingItem === 2)
      expect((await cluster.until(job.trigger())).id).toBe(manualRun)
      await ended
    }
    await cluster.untilEvent('trigger:completed', ({ manualRun }) => manualRun === 4)
    expect(contexts).toHaveLength(4 * 3)
  })

  it('waits for the cron run of its shard', async () => {
    const [job] = (await start('0/10 * * * * ?')) as [Job, Job]
    await cluster.toPhase(300, 10_000)
    contexts.length = 0
    await cluster.until(job.trigger())
    await cluster.advance(300)
    expect(contexts).toEqual([])
    await cluster.untilEvent('trigger:completed')
    expect(shards()).toEqual([0, 1, 2])
    expect(new Set(contexts.map(({ source }) => source))).toEqual(new Set(['trigger']))
  })

  it('of some shards, or of some instances, runs those alone', async () => {
    const [job] = (await start()) as [Job, Job]
    await cluster.until(job.trigger({ shards: [1] }))
    await cluster.untilEvent('trigger:completed')
    expect(shards()).toEqual([1])
    contexts.length = 0
    const registered = cluster.told('job:registered').map(({ instance }) => instance)
    await cluster.until(job.trigger({ instances: registered.slice(0, 1) }))
    await cluster.untilEvent('trigger:completed')
    expect(shards()).toEqual(job.shardingItems)
  })

  it('reaches a shard that moves meanwhile once', async () => {
    const [job] = (await start()) as [Job, Job]
    await cluster.until(job.trigger())
    await cluster.advance(200)
    await cluster.until(job.stop())
    await cluster.untilEvent('trigger:completed')
    expect(shards()).toEqual([0, 1, 2])
  })

  it('without monitorExecution reaches every shard, too', async () => {
    const [job] = (await start(undefined, false)) as [Job, Job]
    await cluster.until(job.trigger())
    await cluster.advance(5_000)
    expect(shards()).toEqual([0, 1, 2])
    await cluster.until(job.trigger())
    await cluster.advance(5_000)
    expect(shards()).toEqual([0, 0, 1, 1, 2, 2])
  })
})

describe('how others ask', () => {
  it("Java's trigger nodes, one for each instance, become one manual run", async () => {
    await start()
    const operator = await cluster.client()
    const { triggers, instances } = cluster.pathsOf('job')
    const { children } = await cluster.until(operator.children(instances))
    if ((await cluster.until(operator.exists(triggers))) === undefined) {
      await cluster.until(operator.create(triggers))
    }
    for (const name of children) {
      await cluster.until(operator.create(`${triggers}/${name}`))
      await cluster.advance(200)
    }
    await cluster.untilEvent('trigger:completed')
    expect(shards()).toEqual([0, 1, 2])
    expect(cluster.told('trigger:requested').map(({ manualRun }) => manualRun)).toEqual([1])
    expect((await cluster.until(operator.children(triggers))).children).toEqual([])
    await cluster.advance(30_000)
    expect(shards()).toEqual([0, 1, 2])
  })

  it("2.x's word in the instance node runs what that instance has", async () => {
    const [job] = (await start()) as [Job, Job]
    const operator = await cluster.client()
    const instance = cluster.told('job:registered')[0]?.instance as string
    const node = cluster.pathsOf('job').instance(instance)
    const before = await cluster.until(operator.get(node))
    await cluster.until(operator.set(node, 'TRIGGER'))
    await cluster.untilEvent('trigger:completed')
    expect(shards()).toEqual(job.shardingItems)
    expect((await cluster.until(operator.get(node))).data).toEqual(before.data)
  })
})
