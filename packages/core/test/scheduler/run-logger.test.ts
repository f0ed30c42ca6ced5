import { afterEach, beforeEach, expect, it } from 'vitest'

import { allShards, type ElasticJobEvents, type JobOptions, type Logger } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job: JobOptions = { jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 2 }

/** What was logged, by whoever. */
function recorder(): Logger & { readonly lines: string[] } {
  const lines: string[] = []
  const note =
    (level: string) =>
    (message: string): void => {
      if (message.startsWith('shard')) lines.push(`${level} ${message}`)
    }
  return {
    lines,
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  }
}

async function pastFire(): Promise<void> {
  await cluster.toPhase(30_000, 60_000)
  await cluster.toPhase(10_000, 60_000)
}

it('tells what a run has written, with the run, and writes it on', async () => {
  const logger = recorder()
  const { jobs } = await cluster.join('10.0.1.1', { logger })
  const told: ElasticJobEvents['run:logged'][0][] = []
  jobs.on('run:logged', (line) => told.push(line))
  await cluster.until(
    jobs.schedule(job, async ({ shardingItem, logger: own }) => {
      own.debug(`shard ${shardingItem}`)
      own.error(`shard ${shardingItem}!`)
      if (shardingItem === 1) own.info('shard 1: mysql://me:planted@db/x')
    }),
  )
  await pastFire()
  expect(told.map(({ run, level, message }) => [run.shardingItem, level, message])).toEqual([
    [0, 'debug', 'shard 0'],
    [0, 'error', 'shard 0!'],
    [1, 'debug', 'shard 1'],
    [1, 'error', 'shard 1!'],
    // A history keeps it, and whoever may look reads it.
    [1, 'info', 'shard 1: mysql://******@db/x'],
  ])
  const { runId, claimedAt } = told[0]?.run ?? {}
  expect(runId).toBe(cluster.runs.find(({ shardingItem }) => shardingItem === 0)?.runId)
  expect(claimedAt).toBeGreaterThan(0)
  expect(logger.lines).toEqual([
    'debug shard 0',
    'error shard 0!',
    'debug shard 1',
    'error shard 1!',
    'info shard 1: mysql://me:planted@db/x',
  ])
})

it('tells a line of shards that run as one for each of them', async () => {
  const { jobs } = await cluster.join('10.0.1.1')
  const told: [number, string][] = []
  jobs.on('run:logged', ({ run, message }) => told.push([run.shardingItem, message]))
  await cluster.until(
    jobs.schedule(
      job,
      allShards(async ({ logger, shardingItems: [first] }) => {
        logger.info('all')
        first?.logger.info('the first')
      }),
    ),
  )
  await pastFire()
  expect(told).toEqual([
    [0, 'all'],
    [1, 'all'],
    [0, 'the first'],
  ])
})

it('is the logger itself where nobody listens', async () => {
  const logger = recorder()
  const { jobs } = await cluster.join('10.0.1.1', { logger })
  const seen = new Set<Logger>()
  await cluster.until(
    jobs.schedule(job, async (context) => {
      seen.add(context.logger)
    }),
  )
  await pastFire()
  expect([...seen]).toEqual([logger])
})
