import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobConfiguration, JobOptions, ShardingContext } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster
let contexts: ShardingContext[]

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  contexts = []
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0/10 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

/** Two instances, so that the leader is not the only one who has to notice. */
async function start(
  options = job(),
  body: (context: ShardingContext) => Promise<void> | void = () => {},
): Promise<void> {
  for (const ip of ['10.0.1.1', '10.0.1.2']) {
    const { jobs } = await cluster.join(ip)
    const noting = (context: ShardingContext): Promise<void> | void => {
      contexts.push(context)
      return body(context)
    }
    await cluster.until(jobs.schedule(options, noting))
  }
  await cluster.toPhase(5_000, 10_000)
  contexts.length = 0
  cluster.runs.length = 0
}

async function configure(changes: Partial<JobConfiguration>): Promise<void> {
  await cluster.configure('job', changes)
  await cluster.advance(50)
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    cluster.clock.setTimer(resolve, milliseconds)
  })

/** The fire times of one shard, as seconds of their minute. */
function seconds(shard = 0): number[] {
  return cluster.runs
    .filter(({ shardingItem }) => shardingItem === shard)
    .map(({ fireTime }) => (fireTime / 1000) % 60)
}

describe('a configuration that changes takes effect without a restart', () => {
  it('cron: nothing of the former times is due any more', async () => {
    await start()
    await configure({ cron: '7/20 * * * * ?' })
    await cluster.toPhase(58_000, 60_000)
    expect(seconds()).toEqual([7, 27, 47])
    expect(seconds(1)).toEqual([7, 27, 47])
  })

  it('cron: a time that has just passed is not due under the new expression', async () => {
    await start()
    await configure({ cron: '4/30 * * * * ?' })
    await cluster.advance(2_000)
    expect(cluster.runs).toEqual([])
  })

  it('a change of the description alone drops nothing', async () => {
    await start()
    await cluster.toPhase(9_999, 10_000)
    await cluster.configure('job', { description: 'in other words' })
    await cluster.toPhase(3_000, 10_000)
    expect(seconds()).toEqual([10])
    expect(seconds(1)).toEqual([10])
  })

  it('zone', async () => {
    await start(job({ cron: '0 30 8 * * ?', timeZone: 'GMT+00:00' }))
    // It is midnight in 2026: half past eight in the east has been, or comes, at another time.
    await configure({ timeZone: 'GMT+08:00' })
    await cluster.advance(31 * 60_000)
    expect(cluster.runs.map(({ fireTime }) => new Date(fireTime).toISOString())).toEqual([
      '2026-01-01T00:30:00.000Z',
      '2026-01-01T00:30:00.000Z',
    ])
  })

  it('the number of shards, up and down and up again', async () => {
    await start()
    await configure({ shardingTotalCount: 5 })
    await cluster.toPhase(5_000, 10_000)
    expect(contexts.map(({ shardingItem }) => shardingItem).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4,
    ])
    expect(new Set(contexts.map((one) => one.shardingTotalCount))).toEqual(new Set([5]))
    contexts.length = 0
    await configure({ shardingTotalCount: 1 })
    await cluster.toPhase(5_000, 10_000)
    expect(contexts.map(({ shardingItem }) => shardingItem)).toEqual([0])
    contexts.length = 0
    await configure({ shardingTotalCount: 4 })
    await cluster.toPhase(5_000, 10_000)
    expect(contexts.map(({ shardingItem }) => shardingItem).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3,
    ])
  })

  it('jobParameter and shardingItemParameters', async () => {
    await start(job({ jobParameter: 'old' }))
    await configure({ jobParameter: 'new', shardingItemParameters: '0=zero,1=one' })
    await cluster.toPhase(5_000, 10_000)
    const seen = contexts.map((one) => [one.shardingItem, one.jobParameter, one.shardingParameter])
    expect(seen.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
      [0, 'new', 'zero'],
      [1, 'new', 'one'],
    ])
  })

  it('misfire', async () => {
    await start(job(), () => wait(12_000))
    await cluster.toPhase(3_000, 10_000)
    await cluster.toPhase(3_000, 10_000)
    // The fire that came while it ran is made up for.
    expect(cluster.runs.filter(({ source }) => source === 'misfire')).toHaveLength(2)
    await configure({ misfire: false })
    await cluster.advance(30_000)
    cluster.runs.length = 0
    await cluster.toPhase(5_000, 60_000)
    await cluster.advance(60_000)
    expect(cluster.runs.filter(({ source }) => source === 'misfire')).toEqual([])
    expect(cluster.runs.length).toBeGreaterThan(0)
  })

  it('failover: the marks of runs stay, or go with the session', async () => {
    await start(job(), () => wait(3_000))
    const operator = await cluster.client()
    const owners = async (): Promise<boolean[]> => {
      await cluster.toPhase(1_000, 10_000)
      const marks = [0, 1].map((shard) =>
        operator.exists(cluster.pathsOf('job').mark(shard, 'running')),
      )
      const stats = await cluster.until(Promise.all(marks))
      return stats.map((stat) => stat?.ephemeralOwner !== 0n)
    }
    expect(await owners()).toEqual([true, true])
    await cluster.toPhase(5_000, 10_000)
    await configure({ failover: true })
    expect(await owners()).toEqual([false, false])
  })

  it('monitorExecution', async () => {
    await start()
    const operator = await cluster.client()
    const shardState = cluster.pathsOf('job').shardState(0)
    await cluster.toPhase(5_000, 10_000)
    await configure({ monitorExecution: false })
    const before = await cluster.until(operator.exists(shardState))
    await cluster.toPhase(5_000, 10_000)
    await cluster.toPhase(5_000, 10_000)
    expect(await cluster.until(operator.exists(shardState))).toEqual(before)
    await configure({ monitorExecution: true })
    await cluster.toPhase(5_000, 10_000)
    expect((await cluster.until(operator.exists(shardState)))?.version).toBe(
      (before?.version ?? 0) + 2,
    )
    expect(seconds()).toHaveLength(4)
    expect(seconds(1)).toHaveLength(4)
  })

  it('the error handler', async () => {
    const thrown: string[] = []
    await start(job({ jobErrorHandlerType: 'IGNORE' }), () => {
      throw new Error('no luck')
    })
    for (const { jobs } of cluster.instances) {
      jobs.on('error', (error: Error) => thrown.push(error.message))
    }
    await cluster.toPhase(5_000, 10_000)
    expect(thrown).toEqual([])
    await configure({ jobErrorHandlerType: 'THROW' })
    await cluster.toPhase(5_000, 10_000)
    expect(thrown).toHaveLength(2)
    expect(thrown[0]).toContain('no luck')
  })

  it('the size of the pool', async () => {
    let running = 0
    let most = 0
    await start(job({ shardingTotalCount: 12 }), async () => {
      running += 1
      most = Math.max(most, running)
      await wait(100)
      running -= 1
    })
    await cluster.toPhase(5_000, 10_000)
    expect(most).toBe(12)
    most = 0
    await configure({ jobExecutorThreadPoolSizeProviderType: '2' })
    await cluster.toPhase(5_000, 10_000)
    expect(most).toBe(4)
    most = 0
    await configure({ jobExecutorThreadPoolSizeProviderType: 'SINGLE_THREAD' })
    await cluster.toPhase(5_000, 10_000)
    expect(most).toBe(2)
    most = 0
    await configure({ jobExecutorThreadPoolSizeProviderType: undefined })
    await cluster.toPhase(5_000, 10_000)
    expect(most).toBe(12)
    expect(cluster.runs).toHaveLength(4 * 12)
  })

  it('the strategy', async () => {
    await start(job({ shardingTotalCount: 4, jobShardingStrategyType: 'AVG_ALLOCATION' }))
    const byServer = (): number[][] =>
      cluster.instances.map(({ ip }) =>
        cluster.runs
          .filter((run) => run.ip === ip)
          .map(({ shardingItem }) => shardingItem)
          .toSorted((a, b) => a - b),
      )
    await cluster.toPhase(5_000, 10_000)
    const before = byServer()
    cluster.runs.length = 0
    await configure({ jobShardingStrategyType: 'ROUND_ROBIN' })
    await cluster.toPhase(5_000, 10_000)
    expect(byServer()).not.toEqual(before)
    expect(
      byServer()
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2, 3])
  })
})

describe('a configuration that cannot be used', () => {
  it('is refused, and the one before it stays in effect', async () => {
    await start()
    await configure({ jobShardingStrategyType: 'NO_SUCH' })
    expect(cluster.told('config:refused')).toHaveLength(2)
    await cluster.toPhase(5_000, 10_000)
    expect(seconds()).toEqual([10])
    await configure({ jobShardingStrategyType: undefined, cron: '0/5 * * * * ?' })
    cluster.runs.length = 0
    await cluster.toPhase(9_000, 10_000)
    await cluster.toPhase(9_000, 10_000)
    expect(seconds()).toHaveLength(2)
  })
})
