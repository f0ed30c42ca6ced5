import { beforeEach, describe, expect, it } from 'vitest'

import { Recorder } from '../../src/figures/recorder.ts'
import type { Change, Owner, Sink } from '../../src/figures/series.ts'
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

const total = (figure: Change['figure'], job?: string): number =>
  applied
    .filter(({ change, owner }) => change.figure === figure && owner.job === job)
    .reduce((sum, { change }) => sum + ('amount' in change ? change.amount : 1), 0)

describe('jobs', () => {
  it('begin with counts of 0, those that were there before as well', () => {
    scheduler.jobNames = ['early']
    record()
    scheduler.register('late')
    for (const job of ['early', 'late']) {
      const failures = applied.filter(
        ({ change, owner }) =>
          change.figure === 'runs' && change.labels.outcome === 'failure' && owner.job === job,
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

  it('go when they stop, and what they tell behind that brings nothing back', () => {
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

describe('runs', () => {
  it('are active from their beginning to their end', () => {
    record()
    scheduler.register('sync')
    scheduler.emit('run:started', runOf({ runId: 'a' }))
    scheduler.emit('run:started', runOf({ runId: 'b' }))
    expect(total('runs.active', 'sync')).toBe(2)
    const end = { outcome: 'success', error: undefined, duration: 5 } as const
    scheduler.emit('run:completed', { ...runOf({ runId: 'a' }), ...end })
    // Of one whose listener has failed the code never began.
    scheduler.emit('run:completed', { ...runOf({ runId: 'c' }), ...end, outcome: 'failure' })
    expect(total('runs.active', 'sync')).toBe(1)
    expect(total('runs', 'sync')).toBe(2)
    expect(total('run.duration', 'sync')).toBe(1)
  })
})

it('what belongs to no job is the scheduler’s', () => {
  record()
  scheduler.emit('lease:ended', { instance: 'me', running: 1 })
  scheduler.emit('error:unhandled', { jobName: 'sync', error: new Error('no') })
  expect(total('lease.ends')).toBe(1)
  expect(total('errors.unhandled')).toBe(1)
})

it('listens no more when it is stopped', () => {
  const recorder = record()
  scheduler.register('sync')
  recorder.stop()
  expect(forgotten).toEqual([{ namespace: 'shop', job: 'sync' }, { namespace: 'shop' }])
  expect(scheduler.eventNames()).toEqual([])
})
