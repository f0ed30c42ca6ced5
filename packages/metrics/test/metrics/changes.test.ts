import { describe, expect, it } from 'vitest'

import { changesOf } from '../../src/metrics/changes.ts'
import { runOf } from '../support/fake-scheduler.ts'

const moment = { now: 0, wasActive: true }

describe('a run that begins', () => {
  it("becomes active, with its lateness in the registry's time", () => {
    const run = runOf({ fireTime: 10_000, shardingItem: 2 })
    expect(changesOf['run:started']?.(run, { ...moment, now: 10_250 })).toEqual([
      { metric: 'runs.active', labels: { shard: '2' }, amount: 1 },
      { metric: 'run.lateness', labels: { source: 'cron', shard: '2' }, value: 0.25 },
    ])
  })

  it('is never early', () => {
    const changes = changesOf['run:started']?.(runOf({ fireTime: 10_000 }), {
      ...moment,
      now: 9_990,
    })
    expect(changes).toContainEqual(expect.objectContaining({ metric: 'run.lateness', value: 0 }))
  })

  it('counts as failover or misfire by its source', () => {
    const metrics = (source: 'failover' | 'misfire'): unknown =>
      changesOf['run:started']?.(runOf({ source }), moment).map(({ metric }) => metric)
    expect(metrics('failover')).toContain('runs.failover')
    expect(metrics('misfire')).toContain('runs.misfired')
  })
})

describe('a run that ends', () => {
  const end = { ...runOf(), outcome: 'failure', error: new Error('no'), duration: 1500 } as const

  it('is counted by outcome and source, with its duration', () => {
    expect(changesOf['run:completed']?.(end, moment)).toEqual([
      {
        metric: 'runs',
        labels: { outcome: 'failure', source: 'cron', shard: '0' },
        amount: 1,
      },
      { metric: 'runs.active', labels: { shard: '0' }, amount: -1 },
      { metric: 'run.duration', labels: { shard: '0' }, value: 1.5 },
    ])
  })

  it('has no duration if its code never started', () => {
    const changes = changesOf['run:completed']?.(end, { ...moment, wasActive: false })
    expect(changes?.map(({ metric }) => metric)).toEqual(['runs'])
  })
})

it('a resharding counts the moved shards', () => {
  const resharded = { jobName: 'sync', reason: 'x', moved: 3, waiting: 0, instances: 2 }
  expect(changesOf['sharding:changed']?.(resharded, moment)).toEqual([
    { metric: 'reshardings', labels: {}, amount: 1 },
    { metric: 'shards.moved', labels: {}, amount: 3 },
  ])
})

it('dataflow elements are counted by outcome', () => {
  const processed = { jobName: 'sync', succeeded: 5, failed: 1 }
  expect(changesOf['data:processed']?.(processed, moment)).toEqual([
    { metric: 'elements', labels: { outcome: 'success' }, amount: 5 },
    { metric: 'elements', labels: { outcome: 'failure' }, amount: 1 },
  ])
})
