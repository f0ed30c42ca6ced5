import { describe, expect, test } from 'vitest'

import { classOf, lengthOf } from '../../src/store/histogram.ts'
import { batchOf, assignment, type RunSketch } from './support/records.ts'
import { product, TestDatabase } from './support/test-database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A hundred runs in two minutes: they take 1, 2, ... 100 seconds, and are late by 1, 2, ... 100 ms. */
const hundred: readonly RunSketch[] = Array.from({ length: 100 }, (_, index) => ({
  id: `run-${index}`,
  at: index < 60 ? index * 1000 : minute + index * 100,
  lasts: (index + 1) * 1000,
  lateness: index + 1,
  outcome:
    index < 3 ? ('failure' as const) : index === 3 ? ('timeout' as const) : ('success' as const),
}))

/** Two days of runs, at odd times and of all lengths, the same in every test. */
const twoDays: readonly RunSketch[] = Array.from({ length: 3000 }, (_, index) => ({
  id: `run-${index}`,
  at: (index * 7_919_317) % (2 * day),
  lasts: (index * index) % 70_001,
  lateness: (index * 31) % 997,
  outcome: index % 17 === 0 ? ('failure' as const) : ('success' as const),
}))

/** The expected statistics of these runs, counted one by one. */
function countedByHand(runs: readonly RunSketch[], step: number): unknown {
  const byTime = new Map<number, RunSketch[]>()
  for (const run of runs) {
    const time = Math.floor((assignment + (run.at ?? 0)) / step) * step
    byTime.set(time, [...(byTime.get(time) ?? []), run])
  }
  const spans = (lengths: readonly number[]): unknown => {
    const sorted = lengths.toSorted((one, other) => one - other)
    const at = (share: number): number =>
      lengthOf(classOf(sorted[Math.ceil(share * sorted.length) - 1] ?? 0))
    return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
  }
  return [...byTime]
    .toSorted(([one], [other]) => one - other)
    .map(([time, all]) => ({
      time,
      runs: all.length,
      failures: all.filter(({ outcome }) => outcome === 'failure').length,
      duration: spans(all.map(({ lasts = 0 }) => lasts)),
      lateness: spans(all.map(({ lateness = 0 }) => lateness)),
    }))
}

describe('figures', () => {
  test('equal a count by hand, by minute, hour and day', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(twoDays))
    for (const [step, length] of Object.entries({ minute, hour, day })) {
      const { buckets, total } = await store.statistics({
        jobName: 'sync-orders',
        from: assignment,
        to: assignment + 2 * day,
        step: step as 'minute' | 'hour' | 'day',
      })
      expect(buckets).toMatchObject(countedByHand(twoDays, length) as object[])
      const [whole] = countedByHand(twoDays, 1000 * day) as [object]
      expect(total).toMatchObject({ ...whole, time: assignment })
    }
  })

  test.runIf(product === 'mysql')('are whole though the server cuts lists of others', async () => {
    await using database = await TestDatabase.create()
    const [before] = await database.query('select @@global.group_concat_max_len as length')
    await database.query('set global group_concat_max_len = 4')
    try {
      const store = await database.open()
      await store.writeBatch(batchOf(hundred))
      const window = { from: assignment, to: assignment + hour, step: 'hour' } as const
      const { total } = await store.statistics({ jobName: 'sync-orders', ...window })
      expect(total).toMatchObject({ duration: { count: 100 }, lateness: { count: 100 } })
    } finally {
      await database.query(`set global group_concat_max_len = ${Number(before?.['length'])}`)
    }
  })

  test('count and measure the runs of each bucket', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const others: RunSketch[] = [
      { id: 'other', jobName: 'report' },
      { id: 'before', at: -1000 },
      { id: 'stopped', at: 3 * minute, outcome: 'stopped' },
      { id: 'running', at: 3 * minute, outcome: undefined },
    ]
    await store.writeBatch(batchOf([...hundred, ...others]))
    const { buckets, total } = await store.statistics({
      jobName: 'sync-orders',
      from: assignment,
      to: assignment + hour,
      step: 'minute',
    })
    expect(buckets.map(({ time, runs, failures }) => [time - assignment, runs, failures])).toEqual([
      [0, 60, 4],
      [minute, 40, 0],
      [3 * minute, 2, 0],
    ])
    expect(buckets[2]?.outcomes).toEqual({ stopped: 1, running: 1 })
    expect(total).toMatchObject({ time: assignment, runs: 102, failures: 4 })
    expect(buckets[0]?.outcomes).toEqual({ failure: 3, timeout: 1, success: 56 })
    expect(buckets[2]?.duration.count).toBe(1)
  })

  test('have percentiles within one percent', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(hundred))
    const { total } = await store.statistics({
      jobName: 'sync-orders',
      from: assignment,
      to: assignment + hour,
      step: 'hour',
    })
    const within = (expected: number): unknown =>
      expect.toSatisfy((value: number) => Math.abs(value - expected) <= expected * 0.0101 + 0.5)
    expect(total.duration).toEqual({
      count: 100,
      p50: within(50_000),
      p95: within(95_000),
      p99: within(99_000),
      max: within(100_000),
    })
    expect(total.lateness).toEqual({
      count: 100,
      p50: 50,
      p95: within(95),
      p99: within(99),
      max: within(100),
    })
  })

  test('of a job without runs are empty', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const request = {
      jobName: 'nobody',
      from: assignment,
      to: assignment + hour,
      step: 'day',
    } as const
    const nothing = { count: 0, p50: undefined, p95: undefined, p99: undefined, max: undefined }
    expect(await store.statistics(request)).toEqual({
      buckets: [],
      total: {
        time: assignment,
        runs: 0,
        failures: 0,
        outcomes: {},
        duration: nothing,
        lateness: nothing,
      },
    })
  })

  test.for([
    { from: assignment, to: assignment, step: 'hour' as const },
    { from: assignment, to: Number.NaN, step: 'hour' as const },
    { from: 0, to: assignment, step: 'minute' as const },
  ])('are not for the window %o', async (window) => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await expect(store.statistics({ jobName: 'sync-orders', ...window })).rejects.toMatchObject({
      code: 'HISTORY_QUERY_INVALID',
    })
  })
})
