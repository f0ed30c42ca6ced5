import { beforeEach, describe, expect, it } from 'vitest'

import { Recorder } from '../../src/metrics/recorder.ts'
import type { Change, Owner, Sink } from '../../src/metrics/series.ts'
import { FakeScheduler, runOf } from '../support/fake-scheduler.ts'

let scheduler: FakeScheduler
let applied: { change: Change; owner: Owner }[]
let forgotten: Owner[]

const sink: Sink = {
  apply: (change, owner) => void applied.push({ change, owner }),
  forget: (owner) => void forgotten.push(owner),
}

beforeEach(() => {
  scheduler = new FakeScheduler()
  applied = []
  forgotten = []
})

const record = (jobLimit = 10): Recorder =>
  new Recorder(scheduler.jobs, sink, { jobLimit, forgets: true })

const total = (metric: Change['metric'], job?: string): number =>
  applied
    .filter(({ change, owner }) => change.metric === metric && owner.job === job)
    .reduce((sum, { change }) => sum + ('amount' in change ? change.amount : 1), 0)

describe('FigureRecorder: jobs', () => {
  it('start with counters of 0, including jobs that already run', () => {
    scheduler.jobNames = ['early']
    record()
    scheduler.register('late')
    for (const job of ['early', 'late']) {
      const failures = applied.filter(
        ({ change, owner }) =>
          change.metric === 'runs' && change.labels.outcome === 'failure' && owner.job === job,
      )
      expect(failures.map(({ change }) => change.labels.source)).toEqual([
        'cron',
        'misfire',
        'trigger',
        'failover',
      ])
      expect(total('runs', job)).toBe(0)
    }
  })

  it('are removed when they stop, and later events do not bring them back', () => {
    record()
    scheduler.register('sync')
    scheduler.leave('sync')
    expect(forgotten).toEqual([{ namespace: 'shop', job: 'sync' }])
    applied = []
    scheduler.emit('run:completed', {
      ...runOf(),
      outcome: 'aborted',
      error: undefined,
      duration: 1,
    })
    expect(applied).toEqual([])
  })
})

describe('FigureRecorder: runs', () => {
  it('are active from start to end', () => {
    record()
    scheduler.register('sync')
    scheduler.emit('run:started', runOf({ runId: 'a' }))
    scheduler.emit('run:started', runOf({ runId: 'b' }))
    expect(total('runs.active', 'sync')).toBe(2)
    const end = { outcome: 'success', error: undefined, duration: 5 } as const
    scheduler.emit('run:completed', { ...runOf({ runId: 'a' }), ...end })
    // A run whose listener failed: its code never started.
    scheduler.emit('run:completed', { ...runOf({ runId: 'c' }), ...end, outcome: 'failure' })
    expect(total('runs.active', 'sync')).toBe(1)
    expect(total('runs', 'sync')).toBe(2)
    expect(total('run.duration', 'sync')).toBe(1)
  })
})

it('FigureRecorder reports metrics without a job for the scheduler', () => {
  record()
  scheduler.emit('lease:ended', { instance: 'me', running: 1 })
  scheduler.emit('error:unhandled', { jobName: 'sync', error: new Error('no') })
  expect(total('lease.ends')).toBe(1)
  expect(total('errors.unhandled')).toBe(1)
})

it('FigureRecorder ignores events after stop()', () => {
  const recorder = record()
  scheduler.register('sync')
  recorder.stop()
  expect(forgotten).toEqual([{ namespace: 'shop', job: 'sync' }, { namespace: 'shop' }])
  expect(scheduler.eventNames()).toEqual([])
})
