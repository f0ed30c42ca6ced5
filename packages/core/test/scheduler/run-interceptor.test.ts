import { AsyncLocalStorage } from 'node:async_hooks'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobBody, JobOptions, RunEnd, RunInterceptor } from '../../src/index.ts'
import { allShards } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  shardingTotalCount: 1,
  ...options,
})

async function runOnce(
  interceptors: readonly RunInterceptor[],
  body: JobBody,
  options: Partial<JobOptions> = {},
): Promise<void> {
  const { jobs } = await cluster.join('10.0.1.1', { interceptors })
  const scheduled = await cluster.until(jobs.schedule(job(options), body))
  const recorded = cluster.untilEvent('run:recorded')
  await cluster.until(scheduled.trigger())
  await recorded
}

describe('an interceptor', () => {
  it('is around the code of a run: what it sets up holds inside', async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    await runOnce([(runs, next) => storage.run(runs[0]?.runId ?? '', next)], async () => {
      await Promise.resolve()
      seen.push(storage.getStore())
    })
    expect(seen).toEqual([cluster.runs[0]?.runId])
  })

  it('hears what came of it, after all its retries', async () => {
    const ends: RunEnd[] = []
    let tries = 0
    await runOnce(
      [async (_, next) => ends.push(await next())],
      () => {
        tries += 1
        throw new Error('no luck')
      },
      { props: { 'retry.times': '2' } },
    )
    expect(tries).toBe(3)
    expect(ends).toMatchObject([{ outcome: 'failure', error: { message: 'no luck' } }])
  })

  it('is called once for shards that run as one', async () => {
    const shards: number[][] = []
    await runOnce(
      [
        (runs, next) => {
          shards.push(runs.map(({ shardingItem }) => shardingItem))
          return next()
        },
      ],
      allShards(() => {}),
      { shardingTotalCount: 3 },
    )
    expect(shards).toEqual([[0, 1, 2]])
  })

  it('is inside of those before it', async () => {
    const order: string[] = []
    const named =
      (name: string): RunInterceptor =>
      async (_, next) => {
        order.push(`${name} begins`)
        await next()
        order.push(`${name} ends`)
      }
    await runOnce([named('outer'), named('inner')], () => void order.push('code'))
    expect(order).toEqual(['outer begins', 'inner begins', 'code', 'inner ends', 'outer ends'])
  })

  it('that fails before the code has the run fail', async () => {
    let ran = false
    await runOnce([() => Promise.reject(new Error('not set up'))], () => {
      ran = true
    })
    expect(ran).toBe(false)
    expect(cluster.told('run:completed')).toMatchObject([
      { outcome: 'failure', error: { message: 'not set up' } },
    ])
  })

  it('that does not run the code has the run fail', async () => {
    await runOnce([() => Promise.resolve()], () => {})
    expect(cluster.told('run:completed')).toMatchObject([
      { outcome: 'failure', error: { message: 'an interceptor has not called next()' } },
    ])
  })

  it('that fails after the code changes nothing, and is told', async () => {
    const unclean: RunInterceptor = async (_, next) => {
      await next()
      throw new Error('not cleaned up')
    }
    await runOnce([unclean], () => {})
    expect(cluster.told('run:completed')).toMatchObject([{ outcome: 'success' }])
    expect(cluster.told('error:unhandled')).toMatchObject([
      { jobName: 'job', error: { message: 'not cleaned up' } },
    ])
    // Told on purpose: it is no problem of the cluster.
    cluster.events.splice(0)
  })
})
