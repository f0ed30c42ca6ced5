/** What coordination costs, counted on the wire. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../src/index.ts'
import { SimulatedCluster } from './simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const noOp = async (): Promise<void> => {}

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0/5 * * * * ?',
  shardingTotalCount: 1,
  ...options,
})

/** Everybody has what is his, and has run it: from then on every fire is like the next. */
async function settle(): Promise<void> {
  await cluster.advance(15_000)
  await cluster.toPhase(4_500, 5_000)
  for (const { wire } of cluster.instances) wire.reset()
  cluster.runs.length = 0
}

/** What each instance has sent beside its pings. */
function sent(): Readonly<Record<string, number>>[] {
  return cluster.instances.map(({ wire }) => {
    const { ping: _, ...others } = wire.counts
    return others
  })
}

describe('per fire and instance, one transaction to begin and one to end', () => {
  for (const instances of [1, 3]) {
    for (const local of [1, 100]) {
      it(`with ${local} local shards on each of ${instances} instances`, async () => {
        const total = local * instances
        for (let index = 0; index < instances; index++) {
          const { jobs } = await cluster.join(`10.0.1.${index}`)
          await cluster.until(jobs.schedule(job({ shardingTotalCount: total }), noOp))
        }
        await settle()
        await cluster.advance(10_000)
        expect(cluster.runs).toHaveLength(2 * total)
        expect(sent()).toEqual(cluster.instances.map(() => ({ multi: 4 })))
      })
    }
  }

  it('with failover, and with shards that fail', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const options = job({ shardingTotalCount: 10, failover: true, jobErrorHandlerType: 'IGNORE' })
    await cluster.until(
      jobs.schedule(options, async ({ shardingItem }) => {
        if (shardingItem % 2 === 0) throw new Error('no')
      }),
    )
    await settle()
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(20)
    expect(sent()).toEqual([{ multi: 4 }])
  })

  it('also at the very first fire, when nothing was written before', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(jobs.schedule(job({ cron: '30 * * * * ?', shardingTotalCount: 100 }), noOp))
    await cluster.advance(20_000)
    expect(cluster.runs).toHaveLength(0)
    for (const { wire } of cluster.instances) wire.reset()
    await cluster.advance(20_000)
    expect(cluster.runs).toHaveLength(100)
    expect(sent()).toEqual([{ multi: 2 }])
  })

  it('and none but the proof of the session with monitorExecution off', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const options = job({ shardingTotalCount: 100, monitorExecution: false })
    await cluster.until(jobs.schedule(options, noOp))
    await settle()
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(200)
    expect(sent()).toEqual([{ multi: 2 }])
  })
})

describe('what falls together goes together', () => {
  it('20 jobs that fire in the same instant begin by one transaction and end by one', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          jobs.schedule(job({ jobName: `job-${index}`, shardingTotalCount: 3 }), noOp),
        ),
      ),
    )
    await settle()
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(2 * 60)
    expect(sent()).toEqual([{ multi: 4 }])
  })

  it('shards that end at different times are written as they end', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(
      jobs.schedule(
        job({ shardingTotalCount: 4 }),
        ({ shardingItem }) =>
          new Promise((resolve) => {
            cluster.clock.setTimer(resolve, shardingItem * 500)
          }),
      ),
    )
    await settle()
    await cluster.advance(10_000)
    expect(sent()).toEqual([{ multi: 2 * (1 + 4) }])
  })
})

describe('idle', () => {
  it('an instance sends pings, and nothing else', async () => {
    for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) {
      const { jobs } = await cluster.join(ip)
      for (const jobName of ['one', 'two', 'three']) {
        const options = job({ jobName, cron: '0 0 0 1 6 ?', shardingTotalCount: 10 })
        await cluster.until(jobs.schedule(options, noOp))
      }
      const oneOff = { jobName: 'one-off', shardingTotalCount: 10 }
      await cluster.until(jobs.schedule(oneOff, noOp))
    }
    await settle()
    await cluster.advance(30 * 60_000)
    for (const { wire } of cluster.instances) {
      expect(Object.keys(wire.counts)).toEqual(['ping'])
      expect(wire.events).toBe(0)
    }
  })
})
