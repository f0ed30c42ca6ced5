import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseCron } from '../../src/cron/cron.ts'
import { scheduleDigest } from '../../src/job-tree/timeline.ts'
import { Schedule } from '../../src/scheduler/schedule.ts'

const dawn = Date.UTC(2026, 0, 1, 12)
const window = 25_000
const everyMinute = { cron: '0 * * * * ?', timeZone: 'UTC' }

describe('Schedule', () => {
  it('knows the next time and the last one that has come', () => {
    const schedule = new Schedule(everyMinute, false, dawn + 10_000, window)
    expect(schedule.latest(dawn + 10_000)).toBe(dawn)
    expect(schedule.next(dawn + 10_000)).toBe(dawn + 60_000)
    expect(schedule.latest(dawn + 59_999)).toBe(dawn)
    expect(schedule.latest(dawn + 60_000)).toBe(dawn + 60_000)
    expect(schedule.next(dawn + 60_000)).toBe(dawn + 120_000)
  })

  it('passes over times that came while nobody looked', () => {
    const schedule = new Schedule(everyMinute, false, dawn, window)
    expect(schedule.latest(dawn + 10 * 60_000 + 5)).toBe(dawn + 10 * 60_000)
    expect(schedule.next(dawn + 10 * 60_000 + 5)).toBe(dawn + 11 * 60_000)
  })

  it('knows no time from before the window in which it began', () => {
    const schedule = new Schedule(everyMinute, false, dawn + 30_000, window)
    expect(schedule.latest(dawn + 30_000)).toBeUndefined()
  })

  it('never fires without an expression', () => {
    const schedule = new Schedule({ cron: undefined, timeZone: undefined }, false, dawn, window)
    expect([schedule.fires, schedule.next(dawn), schedule.latest(dawn)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('ends where the expression does', () => {
    const schedule = new Schedule(
      { cron: '0 0 13 1 1 ? 2026', timeZone: 'UTC' },
      false,
      dawn,
      window,
    )
    const last = dawn + 3_600_000
    expect(schedule.next(dawn)).toBe(last)
    expect(schedule.next(last)).toBeUndefined()
    expect(schedule.latest(last + 1)).toBe(last)
  })

  it('follows the time also when it goes back: one day ahead, then right', () => {
    const tomorrow = dawn + 86_400_000
    const schedule = new Schedule(everyMinute, false, tomorrow + 10_000, window)
    expect(schedule.next(tomorrow + 10_000)).toBe(tomorrow + 60_000)
    expect(schedule.next(dawn + 10_000)).toBe(dawn + 60_000)
    expect(schedule.latest(dawn + 10_000)).toBe(dawn)
    expect(schedule.latest(dawn + 60_000)).toBe(dawn + 60_000)
  })

  it('an expression that cannot be is refused before anything is changed', () => {
    expect(
      () => new Schedule({ cron: '0 0 25 * * ?', timeZone: 'UTC' }, false, dawn, window),
    ).toThrow('hour')
  })

  it('says what the expression says, whenever it is asked', () => {
    const cron = parseCron('0/7 * * * * ?', { timeZone: 'UTC' })
    const steps = fc.array(fc.integer({ min: -40_000, max: 200_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (given) => {
        let now = dawn
        const schedule = new Schedule(
          { cron: '0/7 * * * * ?', timeZone: 'UTC' },
          false,
          now,
          window,
        )
        for (const step of given) {
          now += step
          expect(schedule.next(now)).toBe(cron.nextAfter(now))
          expect(schedule.latest(now)).toBe(cron.latestAtOrBefore(now, 0))
        }
      }),
    )
  })
})

describe('scheduleDigest', () => {
  it('is another for another expression, for another zone alone, and for none', () => {
    const digests = [
      everyMinute,
      { ...everyMinute, timeZone: 'Europe/Berlin' },
      { ...everyMinute, timeZone: undefined },
      { ...everyMinute, cron: '1 * * * * ?' },
      { cron: undefined, timeZone: undefined },
    ].map(scheduleDigest)
    expect(new Set(digests).size).toBe(digests.length)
  })

  it('is the same for the same', () => {
    expect(scheduleDigest({ ...everyMinute })).toBe(scheduleDigest(everyMinute))
    expect(new Schedule(everyMinute, true, dawn, window).digest).toBe(scheduleDigest(everyMinute))
  })
})
