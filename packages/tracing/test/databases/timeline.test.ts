import { describe, expect, test } from 'vitest'

import { batchOf, epoch, type RunSketch } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

const minute = 60_000
const hour = 60 * minute

const sketches: readonly RunSketch[] = [
  { id: 'long-gone', at: 0, lasts: minute },
  { id: 'open-since-long', at: minute, outcome: undefined, item: 5 },
  { id: 'reaches-in', at: 9 * hour + 50 * minute, lasts: 20 * minute },
  { id: 'ended-before', at: 9 * hour + 50 * minute, lasts: 5 * minute },
  { id: 'inside', at: 10 * hour + minute, lasts: minute, jobName: 'report', ip: '10.0.0.2' },
  { id: 'reaches-out', at: 10 * hour + 59 * minute, lasts: hour },
  { id: 'afterwards', at: 11 * hour, lasts: minute },
]

const window = { from: epoch + 10 * hour, to: epoch + 11 * hour }

describe('a timeline', () => {
  test('has the runs of its window by their start', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(sketches))
    const { runs, isTruncated } = await store.timeline(window)
    expect(runs.map(({ id }) => id)).toEqual([
      'open-since-long',
      'reaches-in',
      'inside',
      'reaches-out',
    ])
    expect(isTruncated).toBe(false)
  })

  test('is of one job, or of one machine', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(sketches))
    const ids = async (filter: object): Promise<readonly string[]> =>
      (await store.timeline({ ...window, ...filter })).runs.map(({ id }) => id)
    expect(await ids({ jobName: 'report' })).toEqual(['inside'])
    expect(await ids({ address: '10.0.0.2' })).toEqual(['inside'])
  })

  test('says when it holds the newest only', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(sketches))
    const { runs, isTruncated } = await store.timeline({ ...window, limit: 2 })
    expect(runs.map(({ id }) => id)).toEqual(['inside', 'reaches-out'])
    expect(isTruncated).toBe(true)
  })

  test('needs a window', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await expect(store.timeline({ from: epoch, to: epoch })).rejects.toMatchObject({
      code: 'HISTORY_QUERY_INVALID',
    })
  })
})
