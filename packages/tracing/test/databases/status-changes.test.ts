import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { HistoryStore } from '../../src/store/history-store.ts'
import type { StatusFilter } from '../../src/store/queries.ts'
import { batch, assignment, status } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

const statuses = [
  status({
    id: 'three',
    state: 'TASK_ERROR',
    message: 'it failed',
    creationTime: assignment + 3000,
  }),
  status({
    id: 'two',
    jobName: 'report',
    taskId: 'task',
    shardingItems: [1, 10, 21],
    creationTime: assignment + 2000,
  }),
  status({
    id: 'one',
    slaveId: '10.0.0.2',
    shardingItems: [0, 1],
    creationTime: assignment + 1000,
  }),
]

const filters: readonly (readonly [string, StatusFilter, readonly string[]])[] = [
  ['nothing', {}, ['three', 'two', 'one']],
  ['a job', { jobName: 'report' }, ['two']],
  ['a task', { taskId: 'task' }, ['two']],
  ['an address', { address: '10.0.0.2' }, ['one']],
  ['the first shard of several', { shardingItem: 1 }, ['two', 'one']],
  ['a shard between others', { shardingItem: 10 }, ['two']],
  ['the last shard', { shardingItem: 21 }, ['two']],
  ['part of a shard', { shardingItem: 2 }, []],
  ['a state', { states: ['TASK_ERROR', 'TASK_LOST'] }, ['three']],
  ['no state', { states: [] }, []],
  ['a window', { from: assignment + 2000, to: assignment + 3000 }, ['two']],
]

describe('status changes are found by', () => {
  let database: TestDatabase
  let store: HistoryStore
  beforeAll(async () => {
    database = await TestDatabase.create()
    store = await database.open()
    await store.writeBatch(batch({ statuses }))
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test.for(filters)('%s', async ([, filter, expected]) => {
    expect((await store.statusChanges(filter)).rows.map(({ id }) => id)).toEqual(expected)
  })
})

test('a list of shards that is too long is marked and never cut within a number', async () => {
  await using database = await TestDatabase.create()
  const store = await database.open()
  const shardingItems = Array.from({ length: 200 }, (_, index) => 1000 + index)
  await store.writeBatch(batch({ statuses: [status({ shardingItems })] }))
  const [row] = (await store.statusChanges()).rows
  expect(row?.shardingItems.length).toBeGreaterThan(10)
  expect(shardingItems).toEqual(expect.arrayContaining([...(row?.shardingItems ?? [])]))
})
