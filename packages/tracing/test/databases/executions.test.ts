import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { HistoryStore } from '../../src/store/history-store.ts'
import type { ExecutionFilter, PageRequest } from '../../src/store/queries.ts'
import { batchOf, assignment, type RunSketch } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

const second = 1000

/** The runs that the filters select from, newest first. */
const sketches: readonly RunSketch[] = [
  { id: 'nine', at: 9 * second, jobName: 'report', ip: '10.0.0.2' },
  { id: 'eight', at: 8 * second, outcome: undefined },
  { id: 'seven', at: 7 * second, outcome: 'stopped', shard: 2 },
  { id: 'six', at: 6 * second, outcome: 'lost', source: 'trigger' },
  { id: 'five', at: 5 * second, jobName: 'report', outcome: 'failure', source: 'misfire' },
  { id: 'four', at: 4 * second, outcome: 'failure', shard: 2 },
  { id: 'three', at: 3 * second, outcome: 'timeout', ip: '10.0.0.2' },
  { id: 'two', at: 2 * second, source: 'failover', shard: 2 },
  { id: 'one', at: 1 * second },
]

const filters: readonly (readonly [string, ExecutionFilter, readonly string[]])[] = [
  ['nothing', {}, sketches.map(({ id }) => id)],
  ['a job', { jobName: 'report' }, ['nine', 'five']],
  ['a job that is not there', { jobName: 'Report' }, []],
  ['an address', { address: '10.0.0.2' }, ['nine', 'three']],
  ['a host name', { address: 'host-of-10.0.0.2' }, ['nine', 'three']],
  ['a shard', { shardingItem: 2 }, ['seven', 'four', 'two']],
  ['failures', { outcomes: ['failure'] }, ['five', 'four']],
  ['several outcomes', { outcomes: ['stopped', 'lost', 'timeout'] }, ['seven', 'six', 'three']],
  ['success', { outcomes: ['success'] }, ['nine', 'two', 'one']],
  ['success and failure', { outcomes: ['success', 'failure'], shardingItem: 2 }, ['four', 'two']],
  ['what runs', { outcomes: ['running'] }, ['eight']],
  ['no outcome at all', { outcomes: [] }, []],
  ['a source', { sources: ['trigger'] }, ['six']],
  ['several sources', { sources: ['misfire', 'failover'] }, ['five', 'two']],
  ['a window', { from: assignment + 3 * second, to: assignment + 5 * second }, ['four', 'three']],
  [
    'all of it',
    {
      jobName: 'report',
      outcomes: ['failure'],
      sources: ['misfire'],
      shardingItem: 0,
      address: '10.0.0.1',
      from: assignment,
      to: assignment + 9 * second,
    },
    ['five'],
  ],
]

describe('executions are found by', () => {
  let database: TestDatabase
  let store: HistoryStore
  beforeAll(async () => {
    database = await TestDatabase.create()
    store = await database.open()
    await store.writeBatch(batchOf(sketches))
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test.for(filters)('%s', async ([, filter, expected]) => {
    expect((await store.executions(filter)).rows.map(({ id }) => id)).toEqual(expected)
  })

  test.for(['', 'nonsense', 'WzEsMl0', Buffer.from('["1","2"]').toString('base64url')])(
    'no cursor like %j',
    async (cursor) => {
      await expect(store.executions({}, { cursor })).rejects.toMatchObject({
        code: 'HISTORY_QUERY_INVALID',
      })
    },
  )

  test.for([0, -1, 1.5, 1001, Number.NaN])('the limit %d is refused', async (limit) => {
    await expect(store.executions({}, { limit })).rejects.toMatchObject({
      code: 'HISTORY_QUERY_INVALID',
    })
  })
})

describe('pages of executions', () => {
  test('follow each other without gaps or duplicates, also within one moment', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const many = Array.from({ length: 23 }, (_, index) => ({
      id: `run-${index}`,
      at: Math.floor(index / 7) * second,
    }))
    await store.writeBatch(batchOf(many))
    const seen: string[] = []
    let page: PageRequest | undefined = { limit: 5 }
    while (page !== undefined) {
      const { rows, next }: { rows: readonly { id: string }[]; next: string | undefined } =
        await store.executions({}, page)
      seen.push(...rows.map(({ id }) => id))
      page = next === undefined ? undefined : { limit: 5, cursor: next }
    }
    expect(seen).toHaveLength(23)
    expect(new Set(seen).size).toBe(23)
  })

  test('continue where a filter has read enough rows', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const many = Array.from({ length: 6000 }, (_, index) => ({
      id: `run-${index}`,
      at: index * second,
      shard: index === 0 ? 1 : 0,
    }))
    for (let index = 0; index < many.length; index += 1500)
      await store.writeBatch(batchOf(many.slice(index, index + 1500)))
    const first = await store.executions({ shardingItem: 1 })
    expect(first.rows).toEqual([])
    const second_ = await store.executions({ shardingItem: 1 }, { cursor: first.next ?? '' })
    expect(second_).toMatchObject({ rows: [{ id: 'run-0' }], next: undefined })
  })
})
