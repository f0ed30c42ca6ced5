import { toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readJob } from '../../src/config/read-job.ts'
import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { operatorAt } from '../support/operator.ts'

let cluster: SimulatedCluster
let observer: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  observer = await cluster.client()
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 1,
  ...options,
})

async function strategyOf(jobName = 'job'): Promise<string | undefined> {
  const { config } = cluster.pathsOf(jobName)
  const { data } = await cluster.until(observer.get(config))
  return readJob(toText(data), config).configuration.jobShardingStrategyType
}

async function schedule(ip: string, options: JobOptions): Promise<void> {
  const { jobs } = await cluster.join(ip)
  await cluster.until(jobs.schedule(options, () => {}))
  await cluster.until(jobs.stop())
}

describe('a job that names no strategy', () => {
  it('is stored with ROUND_ROBIN when it is new', async () => {
    await schedule('10.0.1.1', job())
    expect(await strategyOf()).toBe('ROUND_ROBIN')
  })

  it('is stored with ROUND_ROBIN when it is new and overwrites', async () => {
    await schedule('10.0.1.1', job({ overwrite: true }))
    expect(await strategyOf()).toBe('ROUND_ROBIN')
  })

  it.each([false, true])(
    'keeps the strategy that the registry has, with overwrite: %s',
    async (overwrite) => {
      await schedule('10.0.1.1', job({ jobShardingStrategyType: 'ODEVITY' }))
      await schedule('10.0.1.2', job({ overwrite, description: 'another' }))
      expect(await strategyOf()).toBe('ODEVITY')
    },
  )

  it.each([false, true])(
    'stays without a strategy if the registry has none, with overwrite: %s',
    async (overwrite) => {
      const text = "cron: '0 * * * * ?'\njobName: job\nshardingTotalCount: 1\n"
      await cluster.until(observer.create(cluster.pathsOf('job').config, text, { parents: true }))
      await schedule('10.0.1.1', job({ overwrite, description: 'another' }))
      expect(await strategyOf()).toBeUndefined()
    },
  )

  it('has AVG_ALLOCATION once an operator takes the strategy out', async () => {
    await schedule('10.0.1.1', job())
    const operations = await operatorAt(cluster)
    const changes = { jobShardingStrategyType: undefined }
    await cluster.until(operations.updateConfiguration('job', changes))
    await cluster.until(operations.close())
    expect(await strategyOf()).toBeUndefined()
  })
})

describe('a job that names a strategy', () => {
  it('is stored with it, and with another one when it overwrites', async () => {
    await schedule('10.0.1.1', job({ jobShardingStrategyType: 'STICKY' }))
    expect(await strategyOf()).toBe('STICKY')
    await schedule('10.0.1.2', job({ jobShardingStrategyType: 'SPREAD', overwrite: true }))
    expect(await strategyOf()).toBe('SPREAD')
  })
})

it('200 jobs of one shard are spread over 4 instances', async () => {
  const owned: (() => number)[] = []
  for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3', '10.0.1.4']) {
    const { jobs } = await cluster.join(ip)
    const all = Array.from({ length: 200 }, (_, index) =>
      jobs.schedule(job({ jobName: `report-${index}` }), () => {}),
    )
    const scheduled = await cluster.until(Promise.all(all))
    owned.push(() => scheduled.filter(({ shardingItems }) => shardingItems.length > 0).length)
  }
  await cluster.advance(15_000)
  const counts = owned.map((count) => count())
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200)
  expect(Math.min(...counts)).toBeGreaterThan(25)
  expect(Math.max(...counts)).toBeLessThan(75)
})
