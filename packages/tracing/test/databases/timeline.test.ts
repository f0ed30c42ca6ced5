import { describe, expect, test } from 'vitest'

import { batchOf, assignment, type RunSketch } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

const minute = 60_000
const hour = 60 * minute

const sketches: readonly RunSketch[] = [
  { id: 'long-gone', at: 0, lasts: minute },
  { id: 'open-since-long', at: minute, outcome: undefined, shard: 5 },
  { id: 'reaches-in', at: 9 * hour + 50 * minute, lasts: 20 * minute },
  { id: 'ended-before', at: 9 * hour + 50 * minute, lasts: 5 * minute },
  { id: 'inside', at: 10 * hour + minute, lasts: minute, jobName: 'report', ip: '10.0.0.2' },
  { id: 'reaches-out', at: 10 * hour + 59 * minute, lasts: hour },
  { id: 'afterwards', at: 11 * hour, lasts: minute },
]

const window = { from: assignment + 10 * hour, to: assignment + 11 * hour }

describe('a timeline', () => {
  test('contains the runs of its window, by start', async () => {
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

  test('can be limited to one job or one machine', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(sketches))
    const ids = async (filter: object): Promise<readonly string[]> =>
      (await store.timeline({ ...window, ...filter })).runs.map(({ id }) => id)
    expect(await ids({ jobName: 'report' })).toEqual(['inside'])
    expect(await ids({ address: '10.0.0.2' })).toEqual(['inside'])
  })

  test('reports when it contains only the newest runs', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf(sketches))
    const { runs, isTruncated } = await store.timeline({ ...window, limit: 2 })
    expect(runs.map(({ id }) => id)).toEqual(['inside', 'reaches-out'])
    expect(isTruncated).toBe(true)
  })

  test('requires a valid window', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await expect(store.timeline({ from: assignment, to: assignment })).rejects.toMatchObject({
      code: 'HISTORY_QUERY_INVALID',
    })
  })
})
