import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  jobClass: 'com.example.MySimple',
  cron: '* * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const json = JSON.stringify({
  jobName: 'job',
  jobClass: 'com.example.MySimple',
  jobType: 'SIMPLE',
  cron: '* * * * * ?',
  shardingTotalCount: 2,
})

const yaml = 'jobName: job\nshardingTotalCount: 2\ncron: "* * * * * ?"\nmonitorExecution: true\n'

async function put(path: string, text: string): Promise<void> {
  const operator = await cluster.client()
  await cluster.until(operator.create(`/shop/job/${path}`, text, { parents: true }))
}

/** As an instance does it: its node lives as long as its session. */
async function register(path: string, text: string): Promise<void> {
  const instance = await cluster.client()
  const options = { mode: 'ephemeral', parents: true } as const
  await cluster.until(instance.create(`/shop/job/${path}`, text, options))
}

async function remove(path: string): Promise<void> {
  const operator = await cluster.client()
  await cluster.until(operator.delete(`/shop/job/${path}`))
}

async function schedule(options = job()): Promise<void> {
  const { jobs } = await cluster.join('10.0.1.1')
  await cluster.until(jobs.schedule(options, async () => {}))
}

describe('a job that an instance of 2.x takes part in', () => {
  const instance = 'instances/10.0.0.7@-@4711'

  for (const overwrite of [false, true]) {
    for (const text of ['', 'TRIGGER']) {
      it(`is joined when it has gone, its data "${text}", overwrite ${overwrite}`, async () => {
        await put('config', json)
        await register(instance, text)
        await expect(schedule(job({ overwrite }))).rejects.toMatchObject({
          code: 'JOB_CONFLICT',
          message:
            'job job is run by Elastic-Job 1.x or 2.x on 10.0.0.7@-@4711, which knows nothing of claims and leases; stop it there, then schedule the job again',
        })
        await remove(instance)
        await schedule(job({ overwrite }))
        await cluster.advance(3_000)
        expect(cluster.runs.length).toBeGreaterThan(0)
      })
    }
  }

  it('is not joined while it runs on after its configuration was replaced', async () => {
    await put('config', yaml)
    await register(instance, '')
    await expect(schedule()).rejects.toMatchObject({ code: 'JOB_CONFLICT' })
  })

  it('is told from one of 3.x that an operator of 2.x has triggered', async () => {
    await put('config', yaml)
    await register(instance, 'TRIGGER')
    await schedule()
    expect(cluster.told('job:registered')).toHaveLength(1)
  })

  it('is warned of while the configuration lets such an instance come', async () => {
    await put('config', json)
    await schedule()
    expect(cluster.told('config:warning')).toContainEqual({
      jobName: 'job',
      message:
        'the configuration in the registry is one of Elastic-Job 2.x, so that an instance of 2.x can still join the job and run shards beside this one; import it with `elasticjob import`',
    })
  })
})

describe('a job that a server of 1.x takes part in', () => {
  it('is overwritten when the server has gone', async () => {
    await put('config/jobClass', 'com.example.MySimple')
    await put('servers/10.0.0.7/status', 'READY')
    const options = job({ overwrite: true })
    await expect(schedule(options)).rejects.toMatchObject({
      code: 'JOB_CONFLICT',
      message: expect.stringContaining('Elastic-Job 1.x or 2.x on 10.0.0.7') as string,
    })
    await remove('servers/10.0.0.7/status')
    await schedule(options)
    expect(cluster.told('job:registered')).toHaveLength(1)
  })
})

describe('requests of a console of 1.x below servers', () => {
  it('trigger and shutdown are not answered', async () => {
    await schedule(job({ cron: '0 0 0 1 1 ?' }))
    await put('servers/10.0.1.1/trigger', '')
    await put('servers/10.0.1.1/shutdown', '')
    await cluster.advance(5_000)
    expect(cluster.runs).toEqual([])
    expect(cluster.told('job:stopped')).toEqual([])
  })
})
