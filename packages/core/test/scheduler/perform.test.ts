import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ElasticJobError, type ElasticJobEvents, type JobOptions } from '../../src/index.ts'
import { decodeShardState } from '../../src/job-tree/shard-state.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'
import { readable } from '../support/readable.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000

function job(props: Record<string, string>, options: Partial<JobOptions> = {}): JobOptions {
  return { jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 1, props, ...options }
}

/** To a moment after the next fire. */
async function pastFire(): Promise<void> {
  await cluster.advance(2_000)
  await cluster.toPhase(1_000, minute)
}

async function run(body: FleetBody, options: JobOptions): Promise<FleetMember> {
  const member = await enlist(cluster, '10.0.1.1', options, body)
  await pastFire()
  return member
}

async function text(path: string): Promise<string | undefined> {
  const observer = await FakeJava.start(cluster, '10.0.9.1')
  const found = await observer.text(path)
  await observer.die()
  return found
}

const completed = (): ElasticJobEvents['run:completed'][0][] => cluster.told('run:completed')

describe('a run that takes too long', () => {
  const timeout = { 'timeout.milliseconds': '10000' }

  it('is aborted, and has failed', async () => {
    await run(({ signal }, here) => work(here, 40_000, signal), job(timeout))
    await cluster.toPhase(9_000, minute)
    expect(completed()).toEqual([])
    await cluster.toPhase(11_000, minute)
    expect(completed()).toMatchObject([{ outcome: 'failure', error: { code: 'JOB_RUN_TIMEOUT' } }])
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'failure' }])
    expect(cluster.told('run:stuck')).toEqual([])
  })

  it('is not handed over: it would take too long elsewhere, too', async () => {
    const options = job(timeout, { failover: true })
    await run(({ signal }, here) => work(here, 40_000, signal), options)
    await enlist(cluster, '10.0.1.2', options, async () => {})
    await cluster.toPhase(50_000, minute)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'failure' }])
    expect(cluster.runs).toHaveLength(1)
  })

  it('keeps its mark until the code has ended, and is said to be stuck', async () => {
    await run((_, here) => work(here, 40_000), job(timeout))
    await cluster.toPhase(14_000, minute)
    expect(cluster.told('run:stuck')).toEqual([])
    await cluster.toPhase(20_000, minute)
    const runId = cluster.runs[0]?.runId
    expect(cluster.told('run:stuck')).toMatchObject([
      { runId, reason: { code: 'JOB_RUN_TIMEOUT' } },
    ])
    const mark = cluster.pathsOf('job').mark(0, 'running')
    expect(await text(mark)).toContain('10.0.1.1')
    await cluster.toPhase(45_000, minute)
    expect(await text(mark)).toBeUndefined()
  })

  it('that ends well although it was asked to end is a success', async () => {
    await run((_, here) => work(here, 40_000), job(timeout))
    await cluster.toPhase(45_000, minute)
    expect(completed()).toMatchObject([{ outcome: 'success' }])
  })

  it('is not tried again', async () => {
    const props = { ...timeout, 'retry.times': '3' }
    await run(({ signal }, here) => work(here, 40_000, signal), job(props))
    await cluster.toPhase(50_000, minute)
    expect(cluster.told('run:retried')).toEqual([])
    expect(completed()).toHaveLength(1)
  })

  it('is left alone by default', async () => {
    await run((_, here) => work(here, 600_000), job({}))
    await cluster.advance(500_000)
    expect(completed()).toEqual([])
    expect(cluster.told('run:stuck')).toEqual([])
  })
})

describe('a run that fails', () => {
  const failing = (times: number, log: string[] = []): FleetBody => {
    let count = 0
    return async ({ runId, attempt }) => {
      log.push(`${runId} ${attempt}`)
      count += 1
      if (count <= times) throw new Error(`failure ${count}`)
    }
  }

  it('is tried again as the same run, with one claim', async () => {
    const log: string[] = []
    await run(failing(2, log), job({ 'retry.times': '2' }))
    await cluster.toPhase(30_000, minute)
    expect(log).toHaveLength(3)
    expect(new Set(log).size).toBe(1)
    expect(cluster.runs).toHaveLength(1)
    expect(completed()).toMatchObject([{ outcome: 'success', error: undefined }])
    expect(cluster.told('run:recorded')).toHaveLength(1)
    const shardState = readable(
      decodeShardState((await text(cluster.pathsOf('job').shardState(0))) ?? '', 'node'),
    )
    expect(shardState).toMatchObject({
      attempt: 1,
      outcome: 'success',
      run: cluster.runs[0]?.runId,
    })
  })

  it('waits longer each time, with some chance in it', async () => {
    const props = { 'retry.times': '3', 'retry.backoff.milliseconds': '2000' }
    await run(failing(3), job(props))
    await cluster.toPhase(50_000, minute)
    const pauses = cluster.told('run:retried').map(({ pause }) => pause)
    expect(pauses).toHaveLength(3)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(2000 * 2 ** index)
    }
  })

  it('has failed with its last error when it was tried often enough', async () => {
    await run(failing(9), job({ 'retry.times': '2' }))
    await cluster.toPhase(30_000, minute)
    expect(completed()).toMatchObject([{ outcome: 'failure', error: { message: 'failure 3' } }])
  })

  it('is never tried again by default, and its mark goes all the same', async () => {
    await run(failing(1), job({}))
    expect(completed()).toMatchObject([{ outcome: 'failure' }])
    expect(await text(cluster.pathsOf('job').mark(0, 'running'))).toBeUndefined()
    await pastFire()
    expect(completed()).toMatchObject([{ outcome: 'failure' }, { outcome: 'success' }])
  })

  it('is not tried again when it is told to end in the pause', async () => {
    const props = { 'retry.times': '3', 'retry.backoff.milliseconds': '30000' }
    const options = job(props, { failover: true })
    const first = await run(failing(1), options)
    await enlist(cluster, '10.0.1.2', options, async () => {})
    await cluster.until(first.jobs.stop())
    expect(completed()[0]).toMatchObject({ outcome: 'aborted' })
    await cluster.advance(1_000)
    expect(cluster.runs.slice(1)).toMatchObject([{ ip: '10.0.1.2', attempt: 2 }])
  })

  it('the time limit counts for all tries together', async () => {
    const props = {
      'retry.times': '100',
      'retry.backoff.milliseconds': '4000',
      'timeout.milliseconds': '10000',
    }
    await run(failing(100), job(props, { failover: true }))
    await cluster.toPhase(30_000, minute)
    expect(completed()).toMatchObject([{ outcome: 'failure', error: { code: 'JOB_RUN_TIMEOUT' } }])
    expect(cluster.told('run:retried').length).toBeLessThan(6)
  })
})

describe('settings that cannot be', () => {
  it.each([
    ['timeout.milliseconds', '-1'],
    ['retry.times', 'often'],
    ['retry.backoff.milliseconds', '0'],
    ['failover.max.attempts', '0'],
  ])('%s: %s', async (key, value) => {
    const { jobs } = await cluster.join('10.0.1.1')
    const error = await cluster
      .until(jobs.schedule(job({ [key]: value }), async () => {}))
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ElasticJobError)
    expect(String(error)).toContain(key)
  })
})

it('a run that is stopped before its turn came has not started: its time is due elsewhere', async () => {
  const options = job(
    {},
    { shardingTotalCount: 2, jobExecutorThreadPoolSizeProviderType: 'SINGLE_THREAD' },
  )
  const first = await run((_, here) => work(here, 20_000), options)
  expect(cluster.runs).toHaveLength(1)
  await enlist(cluster, '10.0.1.2', options, async () => {})
  const stopped = first.jobs.stop()
  await cluster.until(stopped)
  await cluster.advance(1_000)
  expect(
    cluster
      .told('run:recorded')
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(['not-started', 'success', 'success'])
  const { fireTime } = cluster.runs[0] as { fireTime: number }
  expect(cluster.runs.slice(1)).toMatchObject([{ ip: '10.0.1.2', attempt: 1, fireTime }])
})
