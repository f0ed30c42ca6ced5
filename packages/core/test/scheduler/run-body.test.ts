import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Dataflow, ShardRunner, JobOptions, JobType, RunControl } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { operatorAt } from '../support/operator.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 1,
  ...options,
})

/** To a moment after the next fire, of which all that has come before is no part. */
async function pastFire(): Promise<void> {
  await cluster.toPhase(30_000, minute)
  await cluster.toPhase(10_000, minute)
}

const tick = (): Promise<void> =>
  new Promise((resolve) => {
    cluster.clock.setTimer(resolve, 100)
  })

describe('fetch.data.count', () => {
  it('is what a dataflow is asked for, from the next run on', async () => {
    const asked: number[] = []
    const { jobs } = await cluster.join('10.0.1.1')
    const flow: Dataflow<number> = {
      fetchData({ fetchDataCount }) {
        asked.push(fetchDataCount)
        return []
      },
      processData() {},
    }
    await cluster.until(jobs.schedule(job(), flow))
    await pastFire()
    await cluster.configure('job', { props: { 'fetch.data.count': '50' } })
    await pastFire()
    expect(asked).toEqual([1, 50])
  })
})

describe('a type of one’s own', () => {
  it('runs the shards of a job that asks for it, with the props of the job', async () => {
    const sent: string[] = []
    const mail: JobType = {
      name: 'MAIL',
      problemsOf: () => [],
      runner: {
        scope: 'shard',
        async run({ shardingItem }, { props }) {
          sent.push(`${shardingItem} ${props['mail.to']}`)
        },
      },
    }
    const { jobs } = await cluster.join('10.0.1.1', { jobTypes: [mail] })
    const options = job({ shardingTotalCount: 2, props: { 'mail.to': 'ops' } })
    await cluster.until(jobs.schedule(options, { type: 'MAIL' }))
    await pastFire()
    expect(sent).toEqual(['0 ops', '1 ops'])
  })
})

describe('a run that is asked to yield', () => {
  /** Goes on until it is asked to yield, as a streaming dataflow does. */
  class Patient implements ShardRunner {
    readonly scope = 'shard'
    yielded = 0

    async run({ signal }: { readonly signal: AbortSignal }, control: RunControl): Promise<void> {
      while (!control.yielding && !signal.aborted) await tick()
      if (!signal.aborted) this.yielded += 1
    }
  }

  const options = job({ shardingTotalCount: 2 })

  it('is that of a shard that is to move, and no other', async () => {
    const body = new Patient()
    const first = await cluster.join('10.0.1.1')
    await cluster.until(first.jobs.schedule(options, body))
    await pastFire()
    expect(body.yielded).toBe(0)
    const second = await cluster.join('10.0.1.2')
    await cluster.until(second.jobs.schedule(options, async () => {}))
    await cluster.advance(10_000)
    expect(body.yielded).toBe(1)
  })

  it('is that of a job that is paused, unless it was triggered', async () => {
    const body = new Patient()
    const { jobs } = await cluster.join('10.0.1.1')
    const operations = await operatorAt(cluster)
    await cluster.until(jobs.schedule(options, body))
    await pastFire()
    expect(body.yielded).toBe(0)
    await cluster.until(operations.pause({ job: 'job' }))
    await cluster.advance(1_000)
    expect(body.yielded).toBe(2)
    await cluster.until(operations.trigger('job'))
    await cluster.advance(10_000)
    expect(cluster.runs.slice(2)).toMatchObject([{ source: 'trigger' }, { source: 'trigger' }])
    expect(body.yielded).toBe(2)
    await cluster.until(operations.close())
  })
})
