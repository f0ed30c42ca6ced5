import { describe, expect, it } from 'vitest'

import { noCatchUp } from '../../src/execution/catch-up.ts'
import type { Due, DueContext, FireTimes } from '../../src/execution/due.ts'
import { passedOver } from '../../src/execution/passed-over.ts'
import { type ItemWord, neverRun } from '../../src/job-tree/item-word.ts'
import { x } from '../tree.ts'

/** A job that fires at every ten. */
const fires: FireTimes = {
  nextAfter: (time) => Math.floor(time / 10) * 10 + 10,
  latestAtOrBefore: (time, notBefore) => {
    const latest = Math.floor(time / 10) * 10
    return latest > notBefore ? latest : undefined
  },
}

const context: DueContext = {
  now: 1005,
  fires,
  latest: 1000,
  oldest: 900,
  misfire: true,
  catchUp: noCatchUp,
  paused: false,
  since: 0,
  round: undefined,
}

const cron = (fireTime: number): Due => ({ source: 'cron', fireTime })

function ran(fireTime: number, end: number, changes: Partial<ItemWord> = {}): ItemWord {
  return { ...neverRun, run: 'r', instance: x, fireTime, begin: fireTime, end, ...changes }
}

it('is nothing when the next time is claimed', () => {
  expect(passedOver(ran(990, 992), 0, cron(1000), context)).toEqual([])
})

it('is all that lies between the last run and the one that is claimed', () => {
  expect(passedOver(ran(950, 951), 0, cron(1000), context)).toEqual([{ first: 960, last: 990 }])
  expect(passedOver(ran(980, 981), 0, cron(1000), context)).toEqual([{ first: 990, last: 990 }])
})

it('begins when the item came into being, or the schedule was made', () => {
  expect(passedOver(neverRun, 970, cron(1000), context)).toEqual([{ first: 980, last: 990 }])
  expect(passedOver(neverRun, 0, cron(1000), { ...context, since: 985 })).toEqual([
    { first: 990, last: 990 },
  ])
  expect(passedOver(ran(900, 901, { since: 995 }), 0, cron(1000), context)).toEqual([])
})

it('is not what came while the item ran', () => {
  expect(passedOver(ran(950, 999), 0, cron(1000), context)).toEqual([])
  expect(passedOver(ran(950, 975), 0, cron(1000), context)).toEqual([{ first: 980, last: 990 }])
  const misfire: Due = { source: 'misfire', fireTime: 990 }
  expect(passedOver(ran(950, 999), 0, misfire, context)).toEqual([])
})

it('is what came before a run that was late, and after it', () => {
  const late = ran(900, 955, { begin: 935 })
  expect(passedOver(late, 0, cron(1000), context)).toEqual([
    { first: 910, last: 930 },
    { first: 960, last: 990 },
  ])
})

it('is all that came since a run that never ended', () => {
  expect(passedOver(ran(950, 0, { state: 'running' }), 0, cron(1000), context)).toEqual([
    { first: 960, last: 990 },
  ])
  expect(passedOver(ran(950, 950, { state: 'abandoned' }), 0, cron(1000), context)).toEqual([
    { first: 960, last: 990 },
  ])
})

describe('of a round', () => {
  const triggered: Due = { source: 'trigger', round: { id: 1, asked: 1000 } }

  it('is what is too old to be run after it', () => {
    expect(passedOver(ran(870, 0, { state: 'running' }), 0, triggered, context)).toEqual([
      { first: 880, last: 900 },
    ])
  })

  it('is nothing that may be run after it', () => {
    expect(passedOver(ran(900, 901), 0, triggered, context)).toEqual([])
    const catchUp = { policy: 'once', limit: 1 } as const
    expect(passedOver(ran(870, 871), 0, triggered, { ...context, catchUp })).toEqual([])
    expect(passedOver(ran(870, 905), 0, triggered, context)).toEqual([])
  })

  it('is nothing while the job is paused: it is not meant to run', () => {
    expect(passedOver(ran(870, 871), 0, triggered, { ...context, paused: true })).toEqual([])
  })
})

describe('is nothing for', () => {
  it('a run that is taken over: its time is claimed already', () => {
    const taken: Due = { source: 'failover', fireTime: 950, round: undefined }
    expect(passedOver(ran(950, 951), 0, taken, context)).toEqual([])
  })

  it('a job without a schedule', () => {
    expect(passedOver(ran(900, 901), 0, cron(1000), { ...context, fires: undefined })).toEqual([])
  })
})
