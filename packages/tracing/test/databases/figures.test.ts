import { describe, expect, test } from 'vitest'

import { batchOf, epoch, type RunSketch } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

const minute = 60_000
const hour = 60 * minute

/** A hundred runs in two minutes: they take 1, 2, ... 100 seconds, and are late by 1, 2, ... 100 ms. */
const hundred: readonly RunSketch[] = Array.from({ length: 100 }, (_, index) => ({
  id: `run-${index}`,
  at: index < 60 ? index * 1000 : minute + index * 100,
  lasts: (index + 1) * 1000,
  lateness: index + 1,
  outcome:
    index < 3 ? ('failure' as const) : index === 3 ? ('timeout' as const) : ('success' as const),
}))

describe('figures', () => {
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
    const { buckets, total } = await store.figures({
      jobName: 'sync-orders',
      from: epoch,
      to: epoch + hour,
      step: 'minute',
    })
    expect(buckets.map(({ time, runs, failures }) => [time - epoch, runs, failures])).toEqual([
      [0, 60, 4],
      [minute, 40, 0],
      [3 * minute, 2, 0],
    ])
    expect(buckets[2]?.outcomes).toEqual({ stopped: 1, running: 1 })
    expect(total).toMatchObject({ time: epoch, runs: 102, failures: 4 })
    expect(buckets[0]?.outcomes).toEqual({ failure: 3, timeout: 1, success: 56 })
    expect(buckets[2]?.duration.count).toBe(1)
  })

  test('have percentiles within a hundredth', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(hundred))
    const { total } = await store.figures({
      jobName: 'sync-orders',
      from: epoch,
      to: epoch + hour,
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

  test('of a job that did not run are empty', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const request = { jobName: 'nobody', from: epoch, to: epoch + hour, step: 'day' } as const
    const nothing = { count: 0, p50: undefined, p95: undefined, p99: undefined, max: undefined }
    expect(await store.figures(request)).toEqual({
      buckets: [],
      total: {
        time: epoch,
        runs: 0,
        failures: 0,
        outcomes: {},
        duration: nothing,
        lateness: nothing,
      },
    })
  })

  test.for([
    { from: epoch, to: epoch, step: 'hour' as const },
    { from: epoch, to: Number.NaN, step: 'hour' as const },
    { from: 0, to: epoch, step: 'minute' as const },
  ])('are not for the window %o', async (window) => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await expect(store.figures({ jobName: 'sync-orders', ...window })).rejects.toMatchObject({
      code: 'HISTORY_QUERY_INVALID',
    })
  })
})
