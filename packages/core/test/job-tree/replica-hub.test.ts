import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const noOp = async (): Promise<void> => {}

describe('watches', () => {
  it('are one for each job while there are few, and one for all when there are many', async () => {
    const { jobs, wire } = await cluster.join('10.0.1.1')
    const schedule = (from: number, to: number): Promise<unknown> =>
      cluster.until(
        Promise.all(
          Array.from({ length: to - from }, (_, index) =>
            jobs.schedule(
              { jobName: `job-${from + index}`, cron: '0/30 * * * * ?', shardingTotalCount: 1 },
              noOp,
            ),
          ),
        ),
      )
    wire.reset()
    await schedule(0, 500)
    expect(wire.counts['addWatch']).toBe(500)
    expect(wire.counts['removeWatches']).toBeUndefined()
    wire.reset()
    await schedule(500, 700)
    expect(wire.counts['addWatch']).toBe(1)
    expect(wire.counts['removeWatches']).toBe(500)
    wire.reset()
    await schedule(700, 750)
    expect(wire.counts['addWatch']).toBeUndefined()
    await cluster.toPhase(20_000, 30_000)
    await cluster.advance(20_000)
    const ran = new Set(cluster.runs.map(({ jobName }) => jobName))
    expect(ran.size).toBe(750)
    // One event for each change, not one for each watch that covers it.
    wire.reset()
    await cluster.advance(30_000)
    expect(wire.events).toBe(750 * 2)
  })

  it('a job that stops leaves the others watched', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const options = { cron: '* * * * * ?', shardingTotalCount: 1 }
    const first = await cluster.until(jobs.schedule({ ...options, jobName: 'first' }, noOp))
    const second = await cluster.until(jobs.schedule({ ...options, jobName: 'second' }, noOp))
    await cluster.advance(5_000)
    await cluster.until(first.stop())
    await cluster.configure('second', { jobParameter: 'new' })
    await cluster.advance(100)
    expect(second.configuration.jobParameter).toBe('new')
  })
})

describe('many instances that join one job within seconds', () => {
  it('are dealt their items in a few reshardings, and read little of each other', async () => {
    const count = 200
    for (let index = 0; index < count; index++) {
      await cluster.join(`10.1.${index >> 8}.${index & 255}`)
    }
    for (const { wire } of cluster.instances) wire.reset()
    const options = { jobName: 'job', cron: '0 0 * * * ?', shardingTotalCount: count }
    const joining = cluster.instances.map(async ({ jobs }, index) => {
      await new Promise<void>((resolve) => {
        cluster.clock.setTimer(resolve, index * 20)
      })
      return jobs.schedule(options, noOp)
    })
    const all = await cluster.until(Promise.all(joining))
    await cluster.advance(10_000)
    expect(all.map(({ shardingItems }) => shardingItems.length)).toEqual(
      Array.from({ length: count }, () => 1),
    )
    expect(cluster.told('sharding:changed').length).toBeLessThanOrEqual(3)
    for (const { wire } of cluster.instances) {
      const { multiRead = 0, multi = 0, getData = 0 } = wire.counts
      // One look at the server of each that comes later, and a handful for oneself.
      expect(multiRead).toBeLessThanOrEqual(count + 10)
      expect(multi + getData).toBeLessThanOrEqual(10)
      // Of each that comes its server and itself; of each item the node and its owner.
      expect(wire.events).toBeLessThanOrEqual(4 * count + 20)
    }
  }, 60_000)
})
