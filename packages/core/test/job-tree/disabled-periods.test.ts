import { expect, it } from 'vitest'

import { DisabledPeriods } from '../../src/job-tree/disabled-periods.ts'

/** After everything that is seen here. */
const now = 20_000

it('DisabledPeriods begins a period when the node was created, and ends it when its absence is seen', () => {
  const periods = new DisabledPeriods()
  periods.seen(0, false, 50)
  expect(periods.of(0, now)).toEqual([])
  expect(periods.endOf(0, now)).toBe(0)
  periods.seen(0, true, 100)
  periods.seen(0, true, 120)
  expect(periods.of(0, now)).toEqual([{ after: 100, until: Infinity }])
  periods.began(0, 98)
  periods.seen(0, false, 200)
  periods.seen(0, false, 220)
  expect(periods.of(0, now)).toEqual([{ after: 98, until: 200 }])
  expect(periods.endOf(0, now)).toBe(200)
  periods.forget(0)
  expect(periods.of(0, now)).toEqual([])
})

it('DisabledPeriods ends a period that is over when the shard state says it', () => {
  const periods = new DisabledPeriods()
  periods.seen(0, true, 100)
  expect(periods.of(0, now, 150)).toEqual([{ after: 100, until: Infinity }])
  periods.seen(0, false, 200)
  expect(periods.of(0, now, 150)).toEqual([{ after: 100, until: 150 }])
  expect(periods.of(0, now, 90)).toEqual([{ after: 100, until: 200 }])
  expect(periods.of(0, now, 250)).toEqual([{ after: 100, until: 200 }])
})

it('DisabledPeriods ends a period that is over when the node of the shard was created again', () => {
  const periods = new DisabledPeriods()
  periods.seen(0, true, 100)
  expect(periods.of(0, now, 0, 150)).toEqual([{ after: 100, until: Infinity }])
  periods.seen(0, false, 200)
  expect(periods.of(0, now, 0, 150)).toEqual([{ after: 100, until: 150 }])
  expect(periods.of(0, now, 0, 90)).toEqual([{ after: 100, until: 200 }])
  expect(periods.of(0, now, 170, 150)).toEqual([{ after: 100, until: 150 }])
  expect(periods.of(0, now, 90, 150)).toEqual([{ after: 100, until: 150 }])
})

it('DisabledPeriods keeps the periods before the last, and of many the latest', () => {
  const periods = new DisabledPeriods()
  periods.seen(0, true, 100)
  periods.seen(0, false, 200)
  periods.seen(0, true, 302)
  periods.began(0, 300)
  expect(periods.of(0, now, 150)).toEqual([
    { after: 100, until: 150 },
    { after: 300, until: Infinity },
  ])
  expect(periods.endOf(0, now)).toBe(Infinity)
  for (let time = 400; time < 10_000; time += 100) {
    periods.seen(0, false, time)
    periods.seen(0, true, time + 50)
  }
  expect(periods.of(0, now)).toHaveLength(20)
  expect(periods.of(0, now).at(-1)).toEqual({ after: 9950, until: Infinity })
})

it('DisabledPeriods ends a period at once that ended in the future of a clock which was set back', () => {
  const periods = new DisabledPeriods()
  periods.seen(0, true, 1000)
  periods.seen(0, false, 2000)
  expect(periods.of(0, 500)).toEqual([{ after: 500, until: 500 }])
  expect(periods.endOf(0, 600)).toBe(500)
})

it('DisabledPeriods knows of no period after the registry has lost data', () => {
  const periods = new DisabledPeriods()
  periods.seen(0, true, 100)
  periods.clear()
  periods.seen(0, false, 200)
  expect(periods.of(0, now)).toEqual([])
})
