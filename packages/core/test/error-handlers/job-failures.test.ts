/** What becomes of a job's failures, in a whole cluster. */
import { toText } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ErrorHandler, Job, RunFailure, ScheduleOptions } from '../../src/index.ts'
import { type SimulatedInstance, SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster
let log: string[]

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  log = []
})

afterEach(() => cluster.stop())

/** Needs to know where to, and says to whom it has told what. */
const pigeon: ErrorHandler = {
  type: 'PIGEON',
  problemsOf: ({ to }) => (to === undefined ? [{ key: 'to', message: 'is required' }] : []),
  handle: ({ run, error }, { props }) => {
    log.push(`to ${props['to']}: shard ${run.shardingItem}, ${(error as Error).message}`)
  },
}

async function start(
  options: Partial<ScheduleOptions>,
): Promise<{ instance: SimulatedInstance; job: Job }> {
  const instance = await cluster.join('10.0.1.1', { errorHandlers: [pigeon] })
  const job = await cluster.until(
    instance.jobs.schedule({ jobName: 'job', shardingTotalCount: 2, ...options }, (context) => {
      throw new Error(`no luck at ${context.shardingItem}`)
    }),
  )
  return { instance, job }
}

async function runOnce(job: Job): Promise<void> {
  const { id } = await cluster.until(job.trigger())
  await cluster.untilEvent('trigger:completed', ({ manualRun }) => manualRun === id)
}

describe('a handler by name', () => {
  it('is given the properties as they are when a run fails', async () => {
    const { job } = await start({ jobErrorHandlerType: 'PIGEON', props: { to: 'ops' } })
    await runOnce(job)
    await cluster.configure('job', { props: { to: 'dev' } })
    await cluster.untilEvent('config:changed')
    await runOnce(job)
    expect(log.toSorted()).toEqual([
      'to dev: shard 0, no luck at 0',
      'to dev: shard 1, no luck at 1',
      'to ops: shard 0, no luck at 0',
      'to ops: shard 1, no luck at 1',
    ])
  })

  it('keeps a job from being scheduled that does not say what it needs', async () => {
    await expect(start({ jobErrorHandlerType: 'PIGEON' })).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
      problems: [{ key: 'to', message: 'is required' }],
    })
    const operator = await cluster.client()
    expect(await cluster.until(operator.exists(cluster.pathsOf('job').root))).toBeUndefined()
  })

  it('keeps a change from taking effect that takes away what it needs', async () => {
    const { job } = await start({ jobErrorHandlerType: 'PIGEON', props: { to: 'ops' } })
    await cluster.configure('job', { props: {} })
    const { error } = await cluster.untilEvent('config:refused')
    expect(error).toMatchObject({ problems: [{ key: 'to', message: 'is required' }] })
    await runOnce(job)
    expect(log).toHaveLength(2)
  })

  it('can be chosen while the job runs', async () => {
    const { job } = await start({ jobErrorHandlerType: 'IGNORE', props: { to: 'ops' } })
    await runOnce(job)
    expect(log).toEqual([])
    await cluster.configure('job', { jobErrorHandlerType: 'PIGEON' })
    await cluster.untilEvent('config:changed')
    await runOnce(job)
    expect(log).toHaveLength(2)
  })
})

describe("a job's own callback", () => {
  const onError = ({ run: { shardingItem }, error }: RunFailure): void => {
    log.push(`mine: shard ${shardingItem}, ${(error as Error).message}`)
  }

  it('is told of every failure, beside the handler', async () => {
    const { job } = await start({ jobErrorHandlerType: 'PIGEON', props: { to: 'ops' }, onError })
    await runOnce(job)
    expect(log.toSorted()).toEqual([
      'mine: shard 0, no luck at 0',
      'mine: shard 1, no luck at 1',
      'to ops: shard 0, no luck at 0',
      'to ops: shard 1, no luck at 1',
    ])
  })

  it('stays what it is when the handler changes', async () => {
    const { job } = await start({ jobErrorHandlerType: 'PIGEON', props: { to: 'ops' }, onError })
    await cluster.configure('job', { jobErrorHandlerType: 'IGNORE' })
    await cluster.untilEvent('config:changed')
    await runOnce(job)
    expect(log.toSorted()).toEqual(['mine: shard 0, no luck at 0', 'mine: shard 1, no luck at 1'])
  })

  it('is no part of what the registry knows', async () => {
    await start({ jobErrorHandlerType: 'IGNORE', onError })
    const operator = await cluster.client()
    const { data } = await cluster.until(operator.get(cluster.pathsOf('job').config))
    expect(toText(data)).toContain('jobErrorHandlerType: IGNORE')
    expect(toText(data)).not.toContain('onError')
  })

  it('has to be a function', async () => {
    const scheduled = start({ onError: 'log' as never })
    await expect(scheduled).rejects.toMatchObject({ problems: [{ key: 'onError' }] })
  })

  it.for<[how: string, fail: () => Promise<void> | void]>([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('that %s changes nothing of the run, and keeps nobody else from hearing', async ([, fail]) => {
    const options = { jobErrorHandlerType: 'PIGEON', props: { to: 'ops' }, onError: fail }
    const { job } = await start(options)
    await runOnce(job)
    expect(log).toHaveLength(2)
    expect(cluster.told('run:recorded').map(({ outcome }) => outcome)).toEqual([
      'failure',
      'failure',
    ])
    expect(cluster.told('error:unhandled').map(({ error }) => String(error))).toEqual([
      'Error: broken',
      'Error: broken',
    ])
    // What was meant to go wrong is no reason to fail.
    cluster.events.length = 0
  })
})

it('a scheduler that stops waits for what its handlers are about to tell', async () => {
  let told = false
  const slow: ErrorHandler = {
    type: 'SLOW',
    handle: () => {},
    stop: () =>
      new Promise((resolve) => {
        cluster.clock.setTimer(() => {
          told = true
          resolve()
        }, 3_000)
      }),
  }
  const { jobs } = await cluster.join('10.0.1.1', { errorHandlers: [slow] })
  await cluster.until(jobs.stop())
  expect(told).toBe(true)
})
