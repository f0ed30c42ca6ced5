import { describe, expect, it } from 'vitest'

import {
  type CountSettings,
  decide,
  planOutcome,
  tally,
  verdictOf,
} from '../../src/barrier/plan.ts'
import type { CallState, BarrierKey, BarrierState } from '../../src/barrier/barrier-state.ts'
import { callOf, withCall } from '../../src/barrier/barrier-state.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import type { JobView } from '../../src/job-tree/job-view.ts'
import type { ManualRun } from '../../src/job-tree/job-state.ts'
import { type Situation, viewOf, x, y, z } from '../tree.ts'

const T = 600_000
const dead = '10.0.0.7@-@17-dddddddd'
const cron: BarrierKey = { time: T, manualRun: undefined }
const asked: ManualRun = { id: 4, asked: T + 100 }
const trigger: BarrierKey = { time: asked.asked, manualRun: asked }
const settings: CountSettings = {
  shardingTotalCount: 3,
  failover: false,
  misfire: true,
  monitorExecution: true,
}

const job = (situation: Situation = {}): JobView =>
  viewOf({ instances: [x, y, z], leader: x, owners: [x, y, z], ...situation })

const before: Partial<ShardState> = {
  fireTime: T - 60_000,
  begin: T - 60_000,
  end: T - 50_000,
  source: 'cron',
  instance: y,
}
const running: Partial<ShardState> = {
  state: 'running',
  fireTime: T,
  begin: T,
  source: 'cron',
  instance: y,
}
const over: Partial<ShardState> = { ...running, state: 'idle', end: T + 10 }

const nobody = { toCome: [], heldUp: [], running: [], lost: [] }

/** Where shards 0 and 2 have ended and this is the state of shard 1. */
function count(
  shardState: Partial<ShardState>,
  {
    key = cron,
    situation = {},
    others = over,
    ...changes
  }: Partial<CountSettings> & {
    readonly key?: BarrierKey
    readonly situation?: Situation
    readonly others?: Partial<ShardState>
  } = {},
): ReturnType<typeof tally> {
  const states = [others, shardState, others].map(
    (value, shard) => [shard, { value: { ...neverRun, ...value }, version: 1 }] as const,
  )
  return tally(job(situation), key, new Map(states), { ...settings, ...changes })
}

describe('a shard in a run of a scheduled time', () => {
  it('is to come while its state speaks of an earlier time, or of none', () => {
    expect(count(before)).toEqual({ ...nobody, toCome: [1] })
    expect(count({})).toEqual({ ...nobody, toCome: [1] })
  })

  it('is running when its state says so, at whatever attempt', () => {
    expect(count(running)).toEqual({ ...nobody, running: [1] })
    expect(count({ ...running, attempt: 2 })).toEqual({ ...nobody, running: [1] })
  })

  it('is over when it has ended', () => {
    expect(count(over)).toEqual(nobody)
  })

  it.each(['running', 'idle'] as const)('is over when a later time is %s', (state) => {
    expect(count({ ...running, state, fireTime: T + 60_000 })).toEqual(nobody)
  })

  it('is over when the run of its state is that of a trigger which came after it', () => {
    expect(count({ ...running, source: 'trigger', round: 4 })).toEqual(nobody)
  })

  it('is held up while it runs a trigger and has still to come', () => {
    const shardState: Partial<ShardState> = {
      ...before,
      state: 'running',
      source: 'trigger',
      end: 0,
    }
    expect(count(shardState)).toEqual({ ...nobody, heldUp: [1] })
  })

  it.each([
    ['it runs', { ...before, state: 'running', end: 0 }],
    ['it ran', { ...before, end: T + 10 }],
  ] as const)('with misfire off it is not waited for if %s when the time came', (_, state) => {
    expect(count(state, { misfire: false })).toEqual(nobody)
    expect(count(state, { misfire: true })).toEqual({ ...nobody, toCome: [1] })
  })

  it('is not waited for if it was disabled or paused until then', () => {
    expect(count({ ...before, since: T + 5 })).toEqual(nobody)
  })

  it('is not waited for while it is disabled, unless it runs', () => {
    const situation: Situation = { marks: { 1: { disabled: '' } } }
    expect(count(before, { situation })).toEqual(nobody)
    expect(count(running, { situation })).toEqual({ ...nobody, running: [1] })
  })

  it('is not waited for while its owner is paused', () => {
    const situation: Situation = { jobState: { pausedServers: ['10.0.0.2'] } }
    expect(count(before, { situation })).toEqual(nobody)
  })

  it('is waited for without an owner, for it will have one', () => {
    const situation: Situation = { owners: [x, undefined, z] }
    expect(count(before, { situation })).toEqual({ ...nobody, toCome: [1] })
  })

  it.each([
    ['its instance is dead', { ...running, instance: dead }],
    ['it has crashed', { ...running, state: 'crashed', instance: dead }],
  ] as const)('is lost if %s and nobody takes it over', (_, state) => {
    expect(count(state)).toEqual({ ...nobody, lost: [1] })
    expect(count(state, { failover: true })).toEqual({ ...nobody, running: [1] })
  })

  it('is lost if it was begun too often', () => {
    const shardState: Partial<ShardState> = { ...running, state: 'abandoned' }
    expect(count(shardState, { failover: true })).toEqual({ ...nobody, lost: [1] })
  })

  it('does not count beyond the total', () => {
    expect(count(before, { shardingTotalCount: 1 })).toEqual(nobody)
  })
})

describe('a shard in a run of a trigger', () => {
  const others: Partial<ShardState> = { ...over, source: 'trigger', round: 4 }
  const counted = (
    shardState: Partial<ShardState>,
    manualRun: ManualRun = asked,
    situation: Situation = {},
  ): ReturnType<typeof tally> => {
    return count(shardState, { key: { time: manualRun.asked, manualRun }, situation, others })
  }

  it('is to come, running and over as its state says', () => {
    expect(counted({ ...over, round: 3 })).toEqual({ ...nobody, toCome: [1] })
    expect(counted({ ...running, round: 3 })).toEqual({ ...nobody, toCome: [1] })
    expect(counted({ ...running, source: 'trigger', round: 4 })).toEqual({
      ...nobody,
      running: [1],
    })
    expect(counted({ ...over, source: 'trigger', round: 4 })).toEqual(nobody)
    expect(counted({ ...running, source: 'trigger', round: 5 })).toEqual(nobody)
  })

  it('is over when the run of its state is that of a time which came after it', () => {
    expect(counted({ ...running, round: 4 })).toEqual(nobody)
  })

  it('is not waited for if it is none of its targets', () => {
    expect(counted(before, { ...asked, shards: [0, 2] })).toEqual(nobody)
    expect(counted(before, { ...asked, instances: [x, z] })).toEqual(nobody)
  })

  it('is waited for on a server that is paused: triggers are not', () => {
    const situation: Situation = { jobState: { paused: true } }
    expect(counted(before, asked, situation)).toEqual({ ...nobody, toCome: [1] })
  })
})

const none: BarrierState = { rounds: [] }
const by = (instance: string): CallState => ({ state: 'calling', by: instance })

interface Situated {
  readonly phase?: 'started' | 'completed'
  readonly call?: CallState
  readonly counts?: Partial<ReturnType<typeof tally>>
  readonly isLate?: boolean
  readonly isCalling?: boolean
  readonly failover?: boolean
  readonly rounds?: BarrierState
}

function decided({
  phase = 'started',
  call,
  counts = {},
  isLate = false,
  isCalling = false,
  failover = false,
  rounds = call === undefined ? none : withCall(none, cron, phase, call),
}: Situated): ReturnType<typeof decide> {
  const waiting = { key: cron, phase, isLate, isCalling }
  return decide(job(), rounds, { ...nobody, ...counts }, waiting, x, { ...settings, failover })
}

describe('who waits for a beginning', () => {
  it('waits while shards are to come', () => {
    expect(decided({ counts: { toCome: [1] } })).toEqual({ do: 'wait', missing: [1] })
  })

  it('calls the listeners when none is, whatever becomes of those that have begun', () => {
    const decision = decided({ counts: { heldUp: [0], running: [1], lost: [2] } })
    expect(decision).toEqual({ do: 'call', state: withCall(none, cron, 'started', by(x)) })
  })

  it('waits for whoever calls them', () => {
    expect(decided({ call: by(y) })).toMatchObject({ do: 'wait' })
    expect(decided({ call: by(x), isCalling: true })).toMatchObject({ do: 'wait' })
  })

  it('calls them if the registry says that it does, and it does not know it', () => {
    expect(decided({ call: by(x) })).toEqual({ do: 'call', state: undefined })
  })

  it('goes on when they have been called', () => {
    expect(decided({ call: { state: 'done' }, counts: { toCome: [1] } })).toEqual({ do: 'go' })
  })

  it('is told when they have failed, or were given up', () => {
    expect(decided({ call: { state: 'failed', error: 'no' } })).toEqual({
      do: 'fail',
      reason: 'no',
    })
    expect(decided({ call: { state: 'given-up', reason: 'no' } })).toMatchObject({ do: 'fail' })
  })

  it('gives it up when it has waited for too long, so that nobody calls them later', () => {
    const decision = decided({ counts: { toCome: [0, 2] }, isLate: true })
    expect(decision).toMatchObject({ do: 'give up', reason: 'shards 0, 2 have not begun' })
    const { state = none } = decision as { state?: BarrierState }
    expect(decided({ rounds: state })).toMatchObject({ do: 'fail' })
  })

  it('takes over from a dead caller with failover, and gives it up without', () => {
    expect(decided({ call: by(dead), failover: true })).toMatchObject({ do: 'call' })
    expect(decided({ call: by(dead) })).toMatchObject({ do: 'give up' })
  })

  it('is not waited with by a run that was forgotten', () => {
    let rounds = none
    for (let time = T + 1; time <= T + 20; time++) {
      rounds = withCall(rounds, { time, manualRun: undefined }, 'started', { state: 'done' })
    }
    expect(decided({ rounds })).toMatchObject({ do: 'fail' })
  })
})

describe('who waits for an end', () => {
  const phase = 'completed'

  it.each(['toCome', 'heldUp', 'running'] as const)('waits while shards are %s', (stage) => {
    const counts = { [stage]: [1] }
    expect(decided({ phase, counts })).toEqual({ do: 'wait', missing: [1] })
    // Nobody is kept by it: whoever ends last tells it, however late.
    expect(decided({ phase, counts, isLate: true })).toEqual({ do: 'wait', missing: [1] })
  })

  it('calls the listeners when all are over', () => {
    const decision = decided({ phase })
    expect(decision).toEqual({ do: 'call', state: withCall(none, cron, phase, by(x)) })
  })

  it('gives it up when a shard was lost', () => {
    expect(decided({ phase, counts: { lost: [1] } })).toMatchObject({ do: 'give up' })
    expect(decided({ phase, counts: { lost: [1], running: [0] } })).toMatchObject({ do: 'wait' })
  })

  it('has nothing to complain of when it was given up', () => {
    expect(verdictOf({ state: 'given-up', reason: '' }, phase)).toEqual({ do: 'go' })
    expect(verdictOf({ state: 'failed', error: '' }, phase)).toEqual({ do: 'go' })
    expect(verdictOf(by(y), phase)).toMatchObject({ do: 'wait' })
  })
})

describe('the end of a call', () => {
  const waiting = { key: trigger, phase: 'started' } as const
  const called = withCall(none, trigger, 'started', by(x))

  it('is said of the call that it is the end of', () => {
    const state = planOutcome(called, waiting, x, { state: 'done' })
    expect(state && callOf(state, trigger, 'started')).toEqual({ state: 'done' })
  })

  it('changes nothing of what somebody else has taken over, ended or given up', () => {
    expect(planOutcome(called, waiting, y, { state: 'done' })).toBeUndefined()
    const ended = withCall(called, trigger, 'started', { state: 'done' })
    expect(planOutcome(ended, waiting, x, { state: 'failed', error: '' })).toBeUndefined()
    expect(planOutcome(none, waiting, x, { state: 'done' })).toBeUndefined()
  })
})
