import * as promClient from 'prom-client'
import { describe, expect, it } from 'vitest'

import { MetricHub } from '../../src/metrics/hub.ts'
import { Instruments } from '../../src/prometheus/instruments.ts'
import { FakeScheduler, runOf } from '../support/fake-scheduler.ts'
import { samplesOf } from '../support/samples.ts'

interface Observed {
  readonly scheduler: FakeScheduler
  readonly samples: () => Promise<Map<string, number>>
  readonly looks: { count: number }
}

function setUp(options: { jobLimit?: number; shardLabel?: boolean } = {}): Observed {
  const scheduler = new FakeScheduler()
  const registry = new promClient.Registry()
  const looks = { count: 0 }
  const read = (): ReturnType<MetricHub['readings']> => {
    looks.count += 1
    return hub.readings()
  }
  const { shardLabel = false } = options
  const instruments = new Instruments(promClient, registry, shardLabel, read)
  const hub = new MetricHub(instruments, options, true)
  hub.follow(scheduler.jobs)
  return { scheduler, looks, samples: async () => samplesOf(await registry.metrics()) }
}

const end = { outcome: 'success', error: undefined, duration: 40 } as const

describe('PrometheusInstruments: series', () => {
  it('have no shard label unless requested', async () => {
    for (const shardLabel of [false, true]) {
      const { scheduler, samples } = setUp({ shardLabel })
      scheduler.register('sync')
      const run = runOf({ shardingItem: 7 })
      scheduler.emit('run:started', run)
      scheduler.emit('run:completed', { ...run, ...end })
      const labels = 'job_namespace="shop",job_name="sync",outcome="success",source="cron"'
      const name = `elasticjob_runs_total{${labels}${shardLabel ? ',shard="7"' : ''}}`
      expect((await samples()).get(name)).toBe(1)
    }
  })

  it('of 10,000 jobs are limited by jobLimit', async () => {
    const { scheduler, samples } = setUp({ jobLimit: 20 })
    const jobNames = Array.from({ length: 10_000 }, (_, index) => `job-${index}`)
    const status = { isLeader: true, hasLeader: true, shards: 1, due: 0 }
    scheduler.stands = { sessions: [], jobs: jobNames.map((jobName) => ({ jobName, ...status })) }
    for (const jobName of jobNames) {
      scheduler.register(jobName)
      const run = runOf({ jobName, runId: jobName })
      scheduler.emit('run:started', run)
      scheduler.emit('run:completed', { ...run, ...end })
    }
    const all = await samples()
    const ofJobs = [...all.keys()].filter((name) => name.includes('job_name='))
    expect(ofJobs.length / 21).toBeLessThan(70)
    const others = 'job_namespace="shop",job_name="other"'
    expect(all.get(`elasticjob_runs_total{${others},outcome="success",source="cron"}`)).toBe(9_980)
    expect(all.get(`elasticjob_job_leader{${others}}`)).toBe(9_980)
  })

  it('of a stopped job are removed', async () => {
    const { scheduler, samples } = setUp()
    scheduler.register('sync')
    scheduler.register('stays')
    scheduler.emit('run:started', runOf())
    scheduler.emit('run:completed', { ...runOf(), ...end })
    scheduler.leave('sync')
    const names = [...(await samples()).keys()]
    expect(names.filter((name) => name.includes('"sync"'))).toEqual([])
    expect(names.some((name) => name.includes('"stays"'))).toBe(true)
  })

  it('of thousands of short-lived jobs leave nothing', async () => {
    const { scheduler, samples } = setUp({ jobLimit: 3 })
    const before = (await samples()).size
    for (let index = 0; index < 2_000; index++) {
      scheduler.register(`job-${index}`)
      scheduler.emit('run:started', runOf({ jobName: `job-${index}` }))
      scheduler.leave(`job-${index}`)
    }
    expect((await samples()).size).toBe(before)
  })
})

it('PrometheusInstruments reads values once per scrape', async () => {
  const { looks, samples } = setUp()
  await samples()
  await samples()
  expect(looks.count).toBe(2)
})
