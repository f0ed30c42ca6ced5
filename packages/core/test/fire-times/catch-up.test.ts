import { describe, expect, it } from 'vitest'

import { parseCron } from '../../src/cron/cron.ts'
import type { CatchUp } from '../../src/config/run-limits.ts'
import { noCatchUp, timeToCatchUp } from '../../src/fire-times/catch-up.ts'
import { type DueContext, dueOf } from '../../src/fire-times/due.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'

const hourly = parseCron('0 0 * * * ?', { timeZone: 'GMT+00:00' })
const at = (hour: number, minute = 0): number => Date.UTC(2026, 10, 15, hour, minute)
const window = 25_000

describe('timeToCatchUp', () => {
  it('skips all that passed', () => {
    expect(timeToCatchUp(noCatchUp, hourly, at(1), at(6, 30))).toBeUndefined()
  })

  it('lets the last one stand for all', () => {
    const once: CatchUp = { policy: 'once', limit: 1 }
    expect(timeToCatchUp(once, hourly, at(1), at(6, 30))).toBe(at(6))
    expect(timeToCatchUp(once, hourly, at(6), at(6, 30))).toBeUndefined()
  })

  it('takes each in its turn, the oldest first, as many as the limit allows', () => {
    const all = (limit: number): CatchUp => ({ policy: 'all', limit })
    expect(timeToCatchUp(all(100), hourly, at(1), at(6, 30))).toBe(at(2))
    expect(timeToCatchUp(all(2), hourly, at(1), at(6, 30))).toBe(at(5))
    expect(timeToCatchUp(all(100), hourly, at(6), at(6, 30))).toBeUndefined()
  })
})

describe('a shard that nobody could run for hours', () => {
  const ran = (fireTime: number, begin: number): ShardState => ({
    ...neverRun,
    fireTime,
    begin,
    end: begin + 60_000,
  })
  const shardState = ran(at(1), at(1))

  /** The times that are run from a moment on, one after the other, each taking a minute. */
  function runFrom(now: number, catchUp: CatchUp): number[] {
    const times: number[] = []
    let last = shardState
    for (let moment = now; times.length < 10; moment += 60_000) {
      const oldest = moment - window
      const context: DueContext = {
        now: moment,
        fires: hourly,
        latest: hourly.latestAtOrBefore(moment, oldest),
        oldest,
        misfire: true,
        catchUp,
        paused: false,
        since: 0,
        round: undefined,
      }
      const due = dueOf(last, 0, 'me', 0, context)
      if (due === undefined || due.source === 'trigger') return times
      times.push(due.fireTime)
      last = ran(due.fireTime, moment)
    }
    return times
  }

  it('runs nothing of it by default', () => {
    expect(runFrom(at(6, 30), noCatchUp)).toEqual([])
  })

  it('runs the last time once', () => {
    expect(runFrom(at(6, 30), { policy: 'once', limit: 1 })).toEqual([at(6)])
  })

  it('runs each of its times, and then those that come', () => {
    expect(runFrom(at(6, 30), { policy: 'all', limit: 100 })).toEqual(
      [2, 3, 4, 5, 6].map((hour) => at(hour)),
    )
    expect(runFrom(at(6, 30), { policy: 'all', limit: 3 })).toEqual(
      [4, 5, 6].map((hour) => at(hour)),
    )
  })
})
