import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobListener, JobOptions, MultiShardingContext } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster
/** What happened, in its order. */
let log: string[]

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  log = []
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  jobListenerTypes: ['outer', 'inner'],
  ...options,
})

const shardsOf = ({ shardingItems }: MultiShardingContext): string =>
  shardingItems.map(({ shardingItem }) => shardingItem).join()

function listener(type: string, order: number): JobListener {
  return {
    type,
    order,
    beforeJobExecuted: (context) => void log.push(`${type} before ${shardsOf(context)}`),
    afterJobExecuted: (context) => void log.push(`${type} after ${shardsOf(context)}`),
  }
}

async function runOnce(options: JobOptions, listeners: readonly JobListener[]): Promise<void> {
  const { jobs } = await cluster.join('10.0.1.1', { listeners })
  jobs.on('error', ({ message }) => log.push(message))
  await cluster.until(
    jobs.schedule(options, ({ shardingItem }) => {
      log.push(`run ${shardingItem}`)
      if (shardingItem === 1) throw new Error('no')
    }),
  )
  await cluster.advance(2_000)
  await cluster.toPhase(1_000, 60_000)
}

/** What came of each shard, in the order of the shards. */
function outcomes(): string[] {
  return cluster
    .told('run:recorded')
    .toSorted((a, b) => a.shardingItem - b.shardingItem)
    .map(({ outcome }) => outcome)
}

const outer = listener('outer', 1)
const inner = listener('inner', 2)

describe('listeners', () => {
  it('are told in their order, before the first shard begins and when the last has ended', async () => {
    await runOnce(job(), [inner, outer])
    expect(log).toEqual([
      'outer before 0,1',
      'inner before 0,1',
      'run 0',
      'run 1',
      'outer after 0,1',
      'inner after 0,1',
    ])
    expect(outcomes()).toEqual(['success', 'failure'])
  })

  it('come and go with the configuration', async () => {
    await runOnce(job(), [inner, outer])
    log.length = 0
    await cluster.configure('job', { jobListenerTypes: ['inner'] })
    await cluster.toPhase(1_000, 60_000)
    expect(log).toEqual(['inner before 0,1', 'run 0', 'run 1', 'inner after 0,1'])
  })

  it('that nobody knows keep a job from being scheduled', async () => {
    const { jobs } = await cluster.join('10.0.1.1', { listeners: [outer] })
    await expect(cluster.until(jobs.schedule(job(), () => {}))).rejects.toThrow(
      'there is no listener "inner"',
    )
  })
})

describe('a listener that fails before the job', () => {
  const failing: JobListener = {
    ...inner,
    beforeJobExecuted: () => {
      throw new Error('not today')
    },
  }

  it('does not keep it from running', async () => {
    await runOnce(job(), [outer, failing])
    expect(log).toContain('run 0')
    expect(log.at(-1)).toBe('inner after 0,1')
  })

  it('does with THROW: the shards have failed, and their marks are gone', async () => {
    await runOnce(job({ jobErrorHandlerType: 'THROW' }), [outer, failing])
    expect(log).toEqual([
      'outer before 0,1',
      "Job 'job' shard 0 failed: not today",
      "Job 'job' shard 1 failed: not today",
    ])
    expect(outcomes()).toEqual(['failure', 'failure'])
  })
})

describe('a run that fails with THROW', () => {
  it.each([1, 2])('is told, and so are its listeners, with %i shards', async (total) => {
    const { jobs } = await cluster.join('10.0.1.1', { listeners: [outer, inner] })
    jobs.on('error', ({ message }) => log.push(message))
    const options = job({ jobErrorHandlerType: 'THROW', shardingTotalCount: total })
    await cluster.until(jobs.schedule(options, () => Promise.reject(new Error('no'))))
    await cluster.advance(2_000)
    await cluster.toPhase(1_000, 60_000)
    const shards = [...Array(total).keys()]
    expect(log.filter((line) => line.startsWith('Job'))).toEqual(
      shards.map((shard) => `Job 'job' shard ${shard} failed: no`),
    )
    expect(log.at(-1)).toBe(`inner after ${shards.join()}`)
    expect(outcomes()).toEqual(shards.map(() => 'failure'))
  })
})

describe('a listener that fails after the job', () => {
  it('changes nothing of what came of it', async () => {
    const failing: JobListener = {
      ...outer,
      afterJobExecuted: () => Promise.reject(new Error('too late')),
    }
    await runOnce(job({ jobErrorHandlerType: 'THROW' }), [failing, inner])
    expect(log).toContain("Job 'job' shard 0 failed: too late")
    expect(log.at(-1)).toBe('inner after 0,1')
    expect(outcomes()).toEqual(['success', 'failure'])
  })
})
