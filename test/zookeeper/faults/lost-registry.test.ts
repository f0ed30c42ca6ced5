import { expect, it, onTestFinished } from 'vitest'
import { ElasticJob, type ElasticJobEvents } from '@elasticjob/core'
import { startStandalone } from '../harness/standalone.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { faults } from './clients.ts'
import { Log } from './log.ts'

const total = 3

interface Told {
  readonly name: string
  readonly payload: unknown
}

/** Two processes' worth of schedulers, with a job that runs every second. */
async function startFleet(server: ZooKeeperProcess): Promise<Log<Told>> {
  const log = new Log<Told>()
  const names: readonly (keyof ElasticJobEvents)[] = [
    'registry:data-lost',
    'registry:renewed',
    'reconcile:repaired',
    'run:started',
    'error:unhandled',
  ]
  for (const ip of ['10.0.0.1', '10.0.0.2']) {
    const jobs = await ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      ip,
      sessionTimeoutMilliseconds: 6_000,
      drainOnSignals: false,
      logger: false,
    })
    onTestFinished(() => jobs.stop())
    for (const name of names) jobs.on(name, (payload: unknown) => log.add({ name, payload }))
    const job = { jobName: 'job', cron: '* * * * * ?', shardingTotalCount: total }
    await jobs.schedule(job, async () => {})
  }
  return log
}

/** Every shard has run, for a fire time after this moment. */
async function untilAllRun(log: Log<Told>): Promise<void> {
  const after = log.entries.length
  for (let shard = 0; shard < total; shard++) {
    await log.until(
      ({ name, payload }) =>
        name === 'run:started' && (payload as { shardingItem: number }).shardingItem === shard,
      after,
    )
  }
}

function expectNoDoubleRun(log: Log<Told>): void {
  const runs = log.entries.filter(({ name }) => name === 'run:started')
  const keys = runs.map(({ payload }) => {
    const { shardingItem, fireTime } = payload as { shardingItem: number; fireTime: number }
    return `${shardingItem}@${fireTime}`
  })
  expect(new Set(keys).size).toBe(keys.length)
  expect(log.entries.filter(({ name }) => name === 'error:unhandled')).toEqual([])
}

faults('a ZooKeeper that lost the data of a running fleet', () => {
  it('wiped: the instances bring their job back and go on', async () => {
    const server = await startStandalone()
    onTestFinished(() => server.stop())
    const log = await startFleet(server)
    await untilAllRun(log)
    const before = log.entries.length
    await server.wipe()
    await server.start()
    const lost = await log.until(({ name }) => name === 'registry:data-lost', before)
    expect(lost.payload).toMatchObject({ loss: 'wiped' })
    await log.until(({ name }) => name === 'reconcile:repaired', before)
    await untilAllRun(log)
    expectNoDoubleRun(log)
  })

  it('restored from a backup: the instances open new sessions and go on', async () => {
    const server = await startStandalone()
    onTestFinished(() => server.stop())
    const log = await startFleet(server)
    await untilAllRun(log)
    server.backUp()
    await untilAllRun(log)
    await untilAllRun(log)
    const before = log.entries.length
    await server.restore()
    await server.start()
    const lost = await log.until(({ name }) => name === 'registry:data-lost', before)
    expect(lost.payload).toMatchObject({ loss: 'restored' })
    await untilAllRun(log)
    expectNoDoubleRun(log)
  })
})
