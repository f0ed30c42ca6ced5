import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'

import type { JobOptions } from '../../src/index.ts'
import { Operations } from '../../src/operations.ts'
import type { JobPaths } from '../../src/job-tree/paths.ts'
import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'

let cluster: SimulatedCluster
let client: ZooKeeper
let operations: Operations

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  client = await cluster.client()
  operations = await cluster.until(
    Operations.connect({
      servers: cluster.server.connectString,
      namespace: cluster.namespace,
      environment: {
        clock: cluster.clock,
        random: new SeededRandom(2),
        transport: cluster.network.transport('10.0.9.8'),
      },
    }),
  )
})

afterEach(async () => {
  await cluster.until(operations.close())
  await cluster.stop()
})

const job = (jobName: string, options: Partial<JobOptions> = {}): JobOptions => ({
  jobName,
  cron: '0/10 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const paths = (jobName: string): JobPaths => cluster.pathsOf(jobName)

/** Two instances with two jobs, in the middle between two fires. */
async function start(body: () => Promise<void> | void = () => {}): Promise<SimulatedInstance[]> {
  const instances: SimulatedInstance[] = []
  for (const ip of ['10.0.1.1', '10.0.1.2']) {
    const instance = await cluster.join(ip)
    for (const name of ['bad', 'good']) {
      await cluster.until(instance.jobs.schedule(job(name), name === 'bad' ? body : () => {}))
    }
    instances.push(instance)
  }
  await cluster.toPhase(5_000, 10_000)
  cluster.runs.length = 0
  return instances
}

async function write(path: string, data: string): Promise<string> {
  const { data: before } = await cluster.until(client.get(path))
  await cluster.until(client.set(path, data))
  await cluster.advance(100)
  return Buffer.from(before).toString()
}

/** Shards of a job that ran, in order. */
function ran(jobName: string): number[] {
  return cluster.runs
    .filter((run) => run.jobName === jobName)
    .map(({ shardingItem }) => shardingItem)
    .toSorted((a, b) => a - b)
}

const brokenPaths = (): Set<string> => new Set(cluster.told('job:broken').map(({ path }) => path))

describe.each([
  ['the job state', (name: string) => paths(name).jobState],
  ['the assignment', (name: string) => paths(name).assignment],
])('a job of which %s cannot be read', (_, pathOf) => {
  it.each(['{', 'null', '[]', '"text"', '{"lastRound":"x","runs":4}', '\0\u{1F4A3}'])(
    'starts nothing while it holds %j, harms no other job, and recovers by itself',
    async (junk) => {
      await start()
      const before = await write(pathOf('bad'), junk)
      await cluster.advance(20_000)
      expect(ran('bad')).toEqual([])
      expect(ran('good')).toEqual([0, 0, 1, 1])
      expect(brokenPaths()).toEqual(new Set([pathOf('bad')]))
      expect(cluster.told('error:unhandled')).toEqual([])
      await write(pathOf('bad'), before)
      expect(cluster.told('job:recovered').length).toBeGreaterThan(0)
      await cluster.toPhase(5_000, 10_000)
      cluster.runs.length = 0
      await cluster.advance(10_000)
      expect(ran('bad')).toEqual([0, 1])
    },
  )

  it('lets a process start, which joins the job when it can be read', async () => {
    const instances = await start()
    const before = await write(pathOf('bad'), '{')
    for (const instance of instances) await cluster.until(instance.jobs.stop())
    const { jobs } = await cluster.join('10.0.1.3')
    await cluster.until(jobs.schedule(job('bad'), () => {}))
    await cluster.until(jobs.schedule(job('good'), () => {}))
    cluster.runs.length = 0
    await cluster.toPhase(5_000, 10_000)
    expect(ran('bad')).toEqual([])
    expect(ran('good')).not.toEqual([])
    await write(pathOf('bad'), before)
    await cluster.toPhase(5_000, 10_000)
    cluster.runs.length = 0
    await cluster.advance(10_000)
    expect(ran('bad')).toEqual([0, 1])
  })

  it('refuses a trigger with JOB_BROKEN', async () => {
    await start()
    const { jobs } = await cluster.join('10.0.1.3')
    const handle = await cluster.until(jobs.schedule(job('third'), () => {}))
    await cluster.advance(100)
    await write(pathOf('third'), '{')
    await expect(cluster.until(handle.trigger())).rejects.toMatchObject({ code: 'JOB_BROKEN' })
  })

  it('is repaired by an operator, who is told what is lost, and by nobody unless asked', async () => {
    await start()
    await write(pathOf('bad'), '{')
    const planned = await cluster.until(operations.repair('bad', { dryRun: true }))
    expect(planned).toMatchObject({ action: 'repair', done: [{ jobName: 'bad' }] })
    expect((await cluster.until(operations.job('bad'))).status).toBe('BROKEN')
    await expect(cluster.until(operations.pause({ job: 'bad' }))).rejects.toMatchObject({
      code: 'JOB_BROKEN',
    })
    const result = await cluster.until(operations.repair())
    expect(result.done).toEqual(planned.done)
    expect(cluster.told('job:recovered')).toHaveLength(0)
    await cluster.advance(100)
    expect(cluster.told('job:recovered')).toHaveLength(2)
    // Of an unknown job state that it was not paused is not known either.
    const isPaused = pathOf('bad') === paths('bad').jobState
    expect((await cluster.until(operations.job('bad'))).paused).toBe(isPaused)
    cluster.runs.length = 0
    await cluster.advance(10_000)
    expect(ran('bad')).toEqual(isPaused ? [] : [0, 1])
    await cluster.until(operations.resume({ job: 'bad' }))
    await cluster.toPhase(5_000, 10_000)
    cluster.runs.length = 0
    await cluster.advance(10_000)
    expect(ran('bad')).toEqual([0, 1])
  })
})

describe('a shard of which the state cannot be read', () => {
  it.each(['{', '7', '{"state":"walking"}', '{"fireTime":1e300}', '{"fireTime":-1}'])(
    'does not run while it holds %j; the others do',
    async (junk) => {
      await start()
      await cluster.advance(10_000)
      cluster.runs.length = 0
      const path = paths('bad').shardState(0)
      const before = await write(path, junk)
      await cluster.advance(30_000)
      expect(ran('bad').filter((shard) => shard === 1)).toHaveLength(3)
      // The owner may know the state of before; its claim fails on the version.
      expect(ran('bad').filter((shard) => shard === 0)).toEqual([])
      expect(ran('good')).toHaveLength(6)
      expect(brokenPaths()).toEqual(new Set([path]))
      expect(cluster.told('error:unhandled')).toEqual([])
      expect(cluster.told('fire:late')).toContainEqual(
        expect.objectContaining({ shardingItem: 0, reason: 'its shard state cannot be read' }),
      )
      await write(path, before)
      await cluster.advance(20_000)
      expect(ran('bad').filter((shard) => shard === 0).length).toBeGreaterThan(0)
      expect(cluster.told('job:recovered').length).toBeGreaterThan(0)
    },
  )

  it('is repaired to run nothing twice, and runs at its next time', async () => {
    await start()
    await cluster.toPhase(1_000, 10_000)
    cluster.runs.length = 0
    await write(paths('bad').shardState(0), '{')
    await cluster.toPhase(5_000, 10_000)
    const result = await cluster.until(operations.repair('bad'))
    expect(result.done).toMatchObject([{ jobName: 'bad', shard: 0 }])
    cluster.runs.length = 0
    await cluster.advance(1_000)
    expect(ran('bad')).toEqual([])
    await cluster.advance(9_000)
    expect(ran('bad')).toEqual([0, 1])
    expect(cluster.told('error:unhandled')).toEqual([])
  })

  it('is repaired after the run that it was damaged under has ended, not before', async () => {
    let end = (): void => {}
    await start(
      () =>
        new Promise((resolve) => {
          const former = end
          end = () => {
            former()
            resolve()
          }
        }),
    )
    await cluster.toPhase(1_000, 10_000)
    await write(paths('bad').shardState(0), '{')
    const early = await cluster.until(operations.repair('bad'))
    expect(early).toMatchObject({ done: [], skipped: [{ shard: 0 }] })
    end()
    await cluster.advance(200)
    const late = await cluster.until(operations.repair('bad'))
    expect(late).toMatchObject({ done: [{ shard: 0 }], skipped: [] })
    await cluster.toPhase(5_000, 10_000)
    cluster.runs.length = 0
    await cluster.advance(10_000)
    expect(ran('bad')).toEqual([0, 1])
    end()
  })
})

describe('a configuration that cannot be read', () => {
  it.each([
    'jobName: [',
    'jobName: bad\nshardingTotalCount: 2000000000\n',
    'a: &a [x]\nb: &b [*a,*a]\nprops: {x: *b}',
  ])('%j lets every other job of the process run, and joins when it is corrected', async (text) => {
    const { jobs } = await cluster.join('10.0.1.1')
    const path = paths('bad').config
    await cluster.until(client.create(path, text, { parents: true }))
    await cluster.until(jobs.schedule(job('bad'), () => {}))
    await cluster.until(jobs.schedule(job('good'), () => {}))
    await cluster.toPhase(5_000, 10_000)
    await cluster.advance(10_000)
    expect(ran('bad')).toEqual([])
    expect(ran('good').length).toBeGreaterThan(0)
    expect(brokenPaths()).toEqual(new Set([path]))
    await write(
      path,
      'jobName: bad\ncron: 0/10 * * * * ?\nshardingTotalCount: 2\nmonitorExecution: true\n',
    )
    await cluster.advance(20_000)
    expect(ran('bad').length).toBeGreaterThan(0)
    expect(cluster.told('job:recovered')).toHaveLength(1)
  })

  it('is replaced by a schedule() that overwrites', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(client.create(paths('bad').config, 'jobName: [', { parents: true }))
    await cluster.until(jobs.schedule(job('bad', { overwrite: true }), () => {}))
    await cluster.advance(20_000)
    expect(ran('bad').length).toBeGreaterThan(0)
  })
})
