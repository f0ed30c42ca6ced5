import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseCron } from '../../src/cron/cron.ts'
import {
  type DueContext,
  dueOf,
  type FireTimes,
  correctedState,
  isAheadOfClock,
  isTarget,
  windowOf,
} from '../../src/fire-times/due.ts'
import { noCatchUp } from '../../src/fire-times/catch-up.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import type { ManualRun } from '../../src/job-tree/job-state.ts'
import { x, y } from '../tree.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute
/** 2026-01-01T00:00:00Z, when everything began. */
const dawn = Date.UTC(2026, 0, 1)
const window = windowOf(15 * second)

/** Scheduled times a fixed time apart, counted from dawn. */
function every(period: number): FireTimes {
  return {
    nextAfter: (time) => dawn + (Math.floor((time - dawn) / period) + 1) * period,
    latestAtOrBefore: (time, notBefore) => {
      const latest = dawn + Math.floor((time - dawn) / period) * period
      return latest > notBefore ? latest : undefined
    },
  }
}

/** What holds at a moment of a job that fires every minute. */
function at(now: number, changes: Partial<DueContext> = {}): DueContext {
  const fires = every(minute)
  const since = changes.since ?? 0
  const oldest = Math.max(now - window, since)
  return {
    now,
    fires,
    latest: fires.latestAtOrBefore(now, oldest),
    oldest,
    misfire: true,
    catchUp: noCatchUp,
    paused: false,
    since,
    round: undefined,
    ...changes,
  }
}

/** A run of a scheduled time that took so long. */
function ran(fireTime: number, took: number, changes: Partial<ShardState> = {}): ShardState {
  return {
    ...neverRun,
    run: 'r',
    instance: x,
    fireTime,
    begin: fireTime,
    end: fireTime + took,
    ...changes,
  }
}

const t1 = dawn + 10 * minute
const t2 = t1 + minute
const t3 = t2 + minute

describe('a scheduled time', () => {
  it('is due from its moment on, and not before', () => {
    const shardState = ran(t1, 5)
    expect(dueOf(shardState, 0, x, 0, at(t2 - 1))).toBeUndefined()
    expect(dueOf(shardState, 0, x, 0, at(t2))).toEqual({ source: 'cron', fireTime: t2 })
  })

  it('stays due until it was claimed, by whoever owns the shard by then', () => {
    const shardState = ran(t1, 5)
    for (const [owner, later] of [
      [x, 1],
      [y, 1 * second],
      [y, 20 * second],
    ] as const) {
      expect(dueOf(shardState, 0, owner, 0, at(t2 + later))).toEqual({
        source: 'cron',
        fireTime: t2,
      })
    }
    expect(dueOf(ran(t2, 5), 0, y, 0, at(t2 + second))).toBeUndefined()
  })

  it('is due no more when the window has passed', () => {
    expect(dueOf(ran(t1, 5), 0, x, 0, at(t2 + window - 1))?.source).toBe('cron')
    expect(dueOf(ran(t1, 5), 0, x, 0, at(t2 + window))).toBeUndefined()
  })

  it('only the latest one counts', () => {
    const fires = every(second)
    const context = at(t2 + 3500, { fires, latest: fires.latestAtOrBefore(t2 + 3500, 0) })
    expect(dueOf(ran(t1, 5), 0, x, 0, context)).toEqual({
      source: 'cron',
      fireTime: t2 + 3 * second,
    })
  })

  it('is due for a shard that never ran, but not what came before the shard did', () => {
    expect(dueOf(neverRun, 0, x, t2 - 1, at(t2))).toEqual({ source: 'cron', fireTime: t2 })
    expect(dueOf(neverRun, 0, x, t2, at(t2 + 1))).toBeUndefined()
  })

  it('a fleet that starts runs at the next time, not at once', () => {
    const started = t2 + 5 * second
    expect(dueOf(neverRun, 0, x, 0, at(started, { since: started }))).toBeUndefined()
    expect(dueOf(neverRun, 0, x, 0, at(t3, { since: started }))?.source).toBe('cron')
  })

  it('of a schedule that was changed, what came before the change is not due', () => {
    expect(dueOf(ran(t1, 5), 0, x, 0, at(t2 + second, { since: t2 }))).toBeUndefined()
    expect(dueOf(ran(t1, 5), 0, x, 0, at(t2 + second, { since: t2 - 1 }))).toBeDefined()
  })

  it('a disable that was lifted brings nothing of the time before back', () => {
    expect(dueOf(ran(t1, 5, { since: t2 }), 0, x, 0, at(t2 + second))).toBeUndefined()
    expect(dueOf(ran(t1, 5, { since: t2 }), 0, x, 0, at(t3))?.source).toBe('cron')
  })

  it('is not due while the job is paused, nor of a job without a schedule', () => {
    expect(dueOf(ran(t1, 5), 0, x, 0, at(t2, { paused: true }))).toBeUndefined()
    expect(
      dueOf(ran(t1, 5), 0, x, 0, at(t2, { fires: undefined, latest: undefined })),
    ).toBeUndefined()
  })
})

describe('what came while a shard ran', () => {
  const long = ran(t1, minute + 5 * second)
  const ended = t2 + 5 * second

  it('is due the moment it ends, not a period later', () => {
    expect(dueOf(long, 0, x, 0, at(ended))).toEqual({ source: 'misfire', fireTime: t2 })
  })

  it('is due as one, the latest, however many periods it ran', () => {
    const shardState = ran(t1, 7 * minute + 1)
    const due = { source: 'misfire', fireTime: t1 + 7 * minute }
    expect(dueOf(shardState, 0, x, 0, at(shardState.end))).toEqual(due)
  })

  it('is due also when it came before the window', () => {
    const shardState = ran(t1, minute + 50 * second)
    expect(at(shardState.end).latest).toBeUndefined()
    expect(dueOf(shardState, 0, x, 0, at(shardState.end))).toEqual({
      source: 'misfire',
      fireTime: t2,
    })
  })

  it('is due for whoever owns the shard by then', () => {
    expect(dueOf(long, 0, y, 0, at(ended))?.source).toBe('misfire')
  })

  it('is due once', () => {
    const again = ran(t2, 5, { begin: ended, end: ended + 5 })
    expect(dueOf(again, 0, x, 0, at(ended + 5))).toBeUndefined()
  })

  it('is dropped with misfire off, also when the shard moved meanwhile', () => {
    expect(dueOf(long, 0, x, 0, at(ended, { misfire: false }))).toBeUndefined()
    expect(dueOf(long, 0, y, 0, at(ended, { misfire: false }))).toBeUndefined()
    const next = { source: 'cron', fireTime: t3 }
    expect(dueOf(long, 0, y, 0, at(t3, { misfire: false }))).toEqual(next)
  })

  it('is not what came after it', () => {
    const due = { source: 'cron', fireTime: t3 }
    expect(dueOf(long, 0, x, 0, at(t3))).toEqual(due)
  })

  it('is nothing where the schedule has been changed or the shard switched on again since', () => {
    expect(dueOf(long, 0, x, 0, at(ended, { since: t2 }))).toBeUndefined()
    expect(dueOf(long, 0, x, t2, at(ended))).toBeUndefined()
  })

  it('is missed for good when nobody was there to run it within the window', () => {
    expect(dueOf(long, 0, x, 0, at(ended + 24 * second))?.source).toBe('misfire')
    expect(dueOf(long, 0, x, 0, at(ended + window))).toBeUndefined()
    expect(dueOf(long, 0, x, 0, at(t2 + 7 * day + 30 * second))).toBeUndefined()
  })

  it('is not what was due already when a trigger came first, with misfire on or off', () => {
    const triggered = ran(t1, 0, { round: 3, begin: t2 + 5, end: t2 + 2 * second })
    const due = { source: 'cron', fireTime: t2 }
    for (const misfire of [true, false]) {
      expect(dueOf(triggered, 0, x, 0, at(t2 + 2 * second, { misfire }))).toEqual(due)
    }
  })
})

describe('a clock that was wrong', () => {
  const tomorrow = t1 + day

  it.each([true, false])(
    'one day ahead does not silence the shard once its state is corrected (misfire %s)',
    (misfire) => {
      const shardState = ran(tomorrow, 5 * second)
      expect(isAheadOfClock(shardState, t2 - 1)).toBe(true)
      expect(dueOf(shardState, 0, x, 0, at(t2, { misfire }))).toBeUndefined()
      const corrected = correctedState(shardState, t2 - 1)
      expect(isAheadOfClock(corrected, t2 - 1)).toBe(false)
      expect(dueOf(corrected, 0, x, 0, at(t2 - 1, { misfire }))).toBeUndefined()
      const due = { source: 'cron', fireTime: t2 }
      expect(dueOf(corrected, 0, x, 0, at(t2, { misfire }))).toEqual(due)
    },
  )

  it.each([true, false])(
    'one that was set in the middle of a run does not either (misfire %s)',
    (misfire) => {
      const shardState = { ...ran(t1, 0), end: tomorrow }
      expect(dueOf(shardState, 0, x, 0, at(t2, { misfire }))).toEqual({
        source: 'cron',
        fireTime: t2,
      })
    },
  )

  it('one day ahead when a disable was lifted is corrected as well', () => {
    const shardState = { ...ran(t1, 0), since: tomorrow }
    expect(isAheadOfClock(shardState, t2 - 1)).toBe(true)
    expect(correctedState(shardState, t2 - 1)).toEqual({ ...shardState, since: t2 - 1 })
  })

  it('a few seconds ahead is none', () => {
    const shardState = ran(t2, 0, { begin: t2, end: t2 + 1 })
    expect(isAheadOfClock(shardState, t2 - 5 * second)).toBe(false)
    expect(isAheadOfClock(shardState, t2 - 5 * second - 1)).toBe(true)
    expect(dueOf(shardState, 0, x, 0, at(t2 - 4 * second))).toBeUndefined()
  })

  it('never makes a time due that is still to come', () => {
    const shardState = ran(t1, 0, { end: t2 + 4 * second })
    expect(dueOf(shardState, 0, x, 0, at(t2 - 1))).toBeUndefined()
  })
})

describe('a manual run', () => {
  const manualRun: ManualRun = { id: 4, asked: t2 }

  it('is due at once, once, and leaves scheduled times alone', () => {
    const shardState = ran(t1, 5, { round: 3 })
    expect(dueOf(shardState, 0, x, 0, at(t1 + second, { round: manualRun }))).toEqual({
      source: 'trigger',
      round: manualRun,
    })
    expect(
      dueOf({ ...shardState, round: 4 }, 0, x, 0, at(t1 + second, { round: manualRun })),
    ).toBeUndefined()
    expect(dueOf({ ...shardState, round: 4 }, 0, x, 0, at(t2, { round: manualRun }))?.source).toBe(
      'cron',
    )
  })

  it('is due of a paused job, and of one without a schedule', () => {
    const context = at(t2, { round: manualRun, paused: true, fires: undefined, latest: undefined })
    expect(dueOf(neverRun, 0, x, 0, context)?.source).toBe('trigger')
  })

  it('one that a shard was too late for is not made up for: the next one counts', () => {
    const context = at(t2, { round: { ...manualRun, id: 9 } })
    expect(dueOf(ran(t2, 5, { round: 3 }), 0, x, 0, context)).toMatchObject({ round: { id: 9 } })
  })

  it('waits for a time that is due: behind the manual run it might be too old', () => {
    const context = at(t2, { round: manualRun })
    expect(dueOf(ran(t1, 5), 0, x, 0, context)?.source).toBe('cron')
    expect(dueOf(ran(t2, 5), 0, x, 0, context)?.source).toBe('trigger')
  })

  it('does not wait for what is made up for: there may be more of it without end', () => {
    const late = ran(t1, minute)
    expect(dueOf(late, 0, x, 0, at(t2, { misfire: true }))?.source).toBe('misfire')
    expect(dueOf(late, 0, x, 0, at(t2, { round: manualRun, misfire: true }))?.source).toBe(
      'trigger',
    )
    const catchUp = { policy: 'all', limit: 5 } as const
    expect(dueOf(ran(t1, 5), 0, x, 0, at(t2, { round: manualRun, catchUp }))?.source).toBe(
      'trigger',
    )
  })

  it('reaches whom it names', () => {
    expect(isTarget(manualRun, 0, x)).toBe(true)
    expect(isTarget({ ...manualRun, shards: [1] }, 0, x)).toBe(false)
    expect(isTarget({ ...manualRun, shards: [1] }, 1, x)).toBe(true)
    expect(isTarget({ ...manualRun, instances: [x] }, 1, y)).toBe(false)
    expect(isTarget({ ...manualRun, instances: [x], shards: [1] }, 1, x)).toBe(true)
    expect(isTarget({ ...manualRun, instances: [x], shards: [1] }, 2, x)).toBe(false)
  })

  it('of others lets the schedule go on', () => {
    const context = at(t2, { round: { ...manualRun, instances: [y] } })
    expect(dueOf(ran(t1, 5), 0, x, 0, context)?.source).toBe('cron')
  })
})

describe('whatever the state says', () => {
  const moment = fc.integer({ min: 0, max: 40 * minute }).map((offset) => dawn + offset)
  const cron = parseCron('0/10 * * * * ?', { timeZone: 'UTC' })
  const situations = fc.record({
    now: moment,
    fired: moment,
    delay: fc.integer({ min: 0, max: 10 * second }),
    took: fc.integer({ min: 0, max: 5 * minute }),
    ahead: fc.constantFrom(0, 0, 0, day),
    since: fc.option(moment, { nil: 0 }),
    created: fc.option(moment, { nil: 0 }),
    misfire: fc.boolean(),
  })

  function stateAndContext(given: typeof situations extends fc.Arbitrary<infer T> ? T : never): {
    shardState: ShardState
    context: DueContext
  } {
    const { now, since, misfire, ahead } = given
    const fireTime = cron.latestAtOrBefore(given.fired, 0) as number
    const begin = fireTime + given.delay
    const shift = {
      fireTime: fireTime + ahead,
      begin: begin + ahead,
      end: begin + given.took + ahead,
    }
    const oldest = Math.max(now - window, since)
    const latest = cron.latestAtOrBefore(now, oldest)
    const context = at(now, { fires: cron, latest, oldest, since, misfire })
    return { shardState: { ...neverRun, ...shift }, context }
  }

  it('no time is due before it came, nor twice, nor one from before it could be', () => {
    fc.assert(
      fc.property(situations, (given) => {
        const { shardState, context } = stateAndContext(given)
        const due = dueOf(shardState, 0, x, given.created, context)
        if (due === undefined || due.source === 'trigger') return
        expect(due.fireTime).toBeLessThanOrEqual(given.now)
        expect(cron.latestAtOrBefore(due.fireTime, due.fireTime - 1)).toBe(due.fireTime)
        expect(due.fireTime).toBeGreaterThan(Math.max(given.created, given.since))
        expect(due.fireTime).toBeGreaterThan(shardState.fireTime)
        const begin = Math.max(given.now, shardState.end > given.now ? 0 : shardState.end)
        const next = { ...shardState, fireTime: due.fireTime, begin, end: begin }
        expect(dueOf(next, 0, x, given.created, context)).toBeUndefined()
      }),
    )
  })

  it('a misfire is a time that came while it ran, and there is none with misfire off', () => {
    fc.assert(
      fc.property(situations, (given) => {
        const { shardState, context } = stateAndContext(given)
        const due = dueOf(shardState, 0, x, given.created, context)
        if (due === undefined || due.source === 'trigger') return
        const cameMeanwhile = due.fireTime > shardState.begin && due.fireTime <= shardState.end
        const isWrongClock = shardState.end > given.now + 5 * second
        expect(due.source === 'misfire').toBe(cameMeanwhile && !isWrongClock)
        expect(due.source === 'misfire' && !given.misfire).toBe(false)
      }),
    )
  })

  it('the latest time within the window is due, unless it was run, dropped or is too early', () => {
    fc.assert(
      fc.property(situations, (given) => {
        const { shardState, context } = stateAndContext(given)
        const { latest } = context
        if (latest === undefined || latest <= Math.max(given.created, given.since)) return
        const dropped = !given.misfire && latest > shardState.begin && latest <= shardState.end
        if (latest <= shardState.fireTime || dropped) return
        expect(dueOf(shardState, 0, x, given.created, context)).toMatchObject({ fireTime: latest })
      }),
    )
  })
})
