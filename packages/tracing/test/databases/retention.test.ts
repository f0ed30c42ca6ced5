import type { Clock } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

import type { HistoryStore } from '../../src/store/history-store.ts'
import { batch, batchOf, chunk, assignment, status } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

const second = 1000

/** Twenty runs of two jobs, one a second, each with a log, and their statuses. */
async function fill(store: HistoryStore): Promise<void> {
  const runs = Array.from({ length: 20 }, (_, index) => ({
    id: `run-${index}`,
    at: index * second,
    jobName: index % 2 === 0 ? 'even' : 'odd',
  }))
  await store.writeBatch(batchOf(runs))
  await store.writeBatch(
    batch({
      logs: runs.map(({ id }) => chunk({ runId: id, text: '0123456789' })),
      statuses: runs.map(({ id, jobName, at }) =>
        status({ id, jobName, creationTime: assignment + at - 100 * second }),
      ),
    }),
  )
}

function clockAt(now: number): { readonly clock: Clock } {
  const never = { cancel: (): void => {} }
  return {
    clock: {
      now: () => now,
      monotonic: () => now,
      boot: () => now,
      setTimer: () => never,
      afterPoll: (callback) => callback(),
    },
  }
}

describe('retain keeps', () => {
  test('runs that are younger than the age limit', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open(clockAt(assignment + 20 * second))
    await fill(store)
    expect(await store.retain({ age: 5 * second })).toEqual({
      hasRun: true,
      executions: 15,
      statuses: 20,
      logChunks: 15,
    })
    expect((await store.executions()).rows.map(({ id }) => id)).toEqual(
      [19, 18, 17, 16, 15].map((index) => `run-${index}`),
    )
    expect((await store.log('run-3')).chunks).toEqual([])
    expect((await store.log('run-15')).chunks).toHaveLength(1)
  })

  test('the newest runs of each job', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await fill(store)
    await store.retain({ count: 2, jobs: { odd: { count: 4 } } })
    expect((await store.executions({ jobName: 'even' })).rows).toHaveLength(2)
    expect((await store.executions({ jobName: 'odd' })).rows.map(({ id }) => id)).toEqual(
      [19, 17, 15, 13].map((index) => `run-${index}`),
    )
  })

  test('everything without limits', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await fill(store)
    expect(await store.retain({})).toMatchObject({ executions: 0, statuses: 0, logChunks: 0 })
    expect((await store.executions()).rows).toHaveLength(20)
  })

  test('the newest log chunks within the limit', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const logs = Array.from({ length: 10 }, (_, sequence) =>
      chunk({ sequence, time: assignment + sequence, text: '0123456789' }),
    )
    await store.writeBatch(batch({ logs }))
    expect(await store.retain({ logCharacters: 35 }, { stepSize: 2 })).toMatchObject({
      logChunks: 7,
    })
    expect((await store.log('run-1')).chunks.map(({ sequence }) => sequence)).toEqual([7, 8, 9])
  })
})

describe('retain', () => {
  test('deletes in steps', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open(clockAt(assignment + 86_400_000))
    await fill(store)
    expect(await store.retain({ age: 1 }, { stepSize: 3 })).toMatchObject({
      executions: 20,
      statuses: 20,
    })
  })

  test('stops between two steps on abort', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open(clockAt(assignment + 86_400_000))
    await fill(store)
    const result = await store.retain({ age: 1 }, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ hasRun: true, executions: 0 })
  })

  test('runs in one process at a time, and in the next one after that', async () => {
    await using database = await TestDatabase.create()
    const [one, other] = [await database.open(), await database.open()]
    await fill(one)
    await database.query(
      `insert into elasticjob_lease (name, holder, ends_at) values ('retention', 'somebody', ${assignment * 2})`,
    )
    expect(await other.retain({ count: 1 })).toMatchObject({ hasRun: false, executions: 0 })
    await database.query('update elasticjob_lease set ends_at = 1')
    expect(await other.retain({ count: 1 })).toMatchObject({ hasRun: true, executions: 18 })
    expect(await one.retain({ count: 1 })).toMatchObject({ hasRun: true, executions: 0 })
  })

  test('refuses invalid limits', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await expect(store.retain({ jobs: { even: { age: -1 } } })).rejects.toMatchObject({
      code: 'HISTORY_QUERY_INVALID',
    })
  })
})

test('jobNames returns the names of all jobs, sorted', async () => {
  await using database = await TestDatabase.create()
  const store = await database.open()
  await store.writeBatch(
    batchOf(['b', 'a', 'c', 'a'].map((jobName, index) => ({ id: `run-${index}`, jobName }))),
  )
  expect(await store.jobNames()).toEqual(['a', 'b', 'c'])
})
