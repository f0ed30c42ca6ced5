import { describe, expect, it } from 'vitest'

import { changesOf } from '../../src/figures/changes.ts'
import { runOf } from '../support/fake-scheduler.ts'

const moment = { now: 0, wasActive: true }

describe('a run that begins', () => {
  it('runs now, and is as late as the registry says', () => {
    const run = runOf({ fireTime: 10_000, shardingItem: 2 })
    expect(changesOf['run:started']?.(run, { ...moment, now: 10_250 })).toEqual([
      { figure: 'runs.active', labels: { item: '2' }, amount: 1 },
      { figure: 'run.lateness', labels: { source: 'cron', item: '2' }, value: 0.25 },
    ])
  })

  it('is not early, whatever the clocks say', () => {
    const changes = changesOf['run:started']?.(runOf({ fireTime: 10_000 }), {
      ...moment,
      now: 9_990,
    })
    expect(changes).toContainEqual(expect.objectContaining({ figure: 'run.lateness', value: 0 }))
  })

  it('is a failover or a misfire if it came about that way', () => {
    const figures = (source: 'failover' | 'misfire'): unknown =>
      changesOf['run:started']?.(runOf({ source }), moment).map(({ figure }) => figure)
    expect(figures('failover')).toContain('runs.failover')
    expect(figures('misfire')).toContain('runs.misfired')
  })
})

describe('a run that ends', () => {
  const end = { ...runOf(), outcome: 'failure', error: new Error('no'), duration: 1500 } as const

  it('is counted by outcome and source, and took its time', () => {
    expect(changesOf['run:completed']?.(end, moment)).toEqual([
      {
        figure: 'runs',
        labels: { outcome: 'failure', source: 'cron', item: '0' },
        amount: 1,
      },
      { figure: 'runs.active', labels: { item: '0' }, amount: -1 },
      { figure: 'run.duration', labels: { item: '0' }, value: 1.5 },
    ])
  })

  it('took no time if it never began', () => {
    const changes = changesOf['run:completed']?.(end, { ...moment, wasActive: false })
    expect(changes?.map(({ figure }) => figure)).toEqual(['runs'])
  })
})

it('a resharding counts the items that moved', () => {
  const dealt = { jobName: 'sync', reason: 'x', moved: 3, waiting: 0, instances: 2 }
  expect(changesOf['sharding:changed']?.(dealt, moment)).toEqual([
    { figure: 'reshardings', labels: {}, amount: 1 },
    { figure: 'items.moved', labels: {}, amount: 3 },
  ])
})

it('elements are counted by what came of them', () => {
  const processed = { jobName: 'sync', succeeded: 5, failed: 1 }
  expect(changesOf['data:processed']?.(processed, moment)).toEqual([
    { figure: 'elements', labels: { outcome: 'success' }, amount: 5 },
    { figure: 'elements', labels: { outcome: 'failure' }, amount: 1 },
  ])
})
