import { describe, expect, test } from 'vitest'

import {
  batch,
  batchOf,
  chunk,
  assignment,
  execution,
  lostRun,
  run,
  status,
} from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

describe('a batch', () => {
  test('is read back as written', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const details = { manualRun: 7, fencingToken: 2n ** 62n + 1n, retries: 2, attempt: 3 }
    const written = batch({
      executions: [execution()],
      runs: [run(details)],
      statuses: [status({ shardingItems: [0, 1, 12] })],
      logs: [chunk(), chunk({ sequence: 1, stream: 'stderr', text: 'two\nlines' })],
    })
    expect(await store.writeBatch(written)).toEqual({ isNew: true })
    const { source: _, ...record } = execution()
    expect((await store.executions()).rows).toEqual([
      {
        ...record,
        source: 'cron',
        outcome: 'success',
        duration: 2000,
        details: {
          instance: '10.0.0.1@-@17',
          fireTime: assignment - 5,
          lateness: 5,
          ...details,
        },
      },
    ])
    expect((await store.statusChanges()).rows).toEqual(written.statuses)
    expect((await store.log('run-1')).chunks).toEqual(written.logs)
  })

  test('is written once, however often it is repeated', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const written = batch({
      executions: [execution()],
      runs: [run()],
      statuses: [status()],
      logs: [chunk()],
    })
    await store.writeBatch(written)
    expect(await store.writeBatch(written)).toEqual({ isNew: false })
    const again = await database.open()
    expect(await again.writeBatch(written)).toEqual({ isNew: false })
    expect((await store.statusChanges()).rows).toHaveLength(1)
    expect((await store.executions()).rows).toHaveLength(1)
  })

  test('that is repeated concurrently is written once', async () => {
    await using database = await TestDatabase.create()
    const stores = [await database.open(), await database.open()]
    const written = batch({ statuses: [status()] })
    const results = await Promise.all(stores.map((store) => store.writeBatch(written)))
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
    const [store] = stores
    expect((await store?.statusChanges())?.rows).toHaveLength(1)
  })

  test('with an invalid record is not written at all', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const wrong = batch({
      executions: [execution(), execution({ id: 'run-2', shardingItem: Number.NaN })],
    })
    await expect(store.writeBatch(wrong)).rejects.toMatchObject({
      code: 'HISTORY_RECORD_INVALID',
      message:
        'A record cannot be stored: executions[1].shardingItem is NaN, which is not a valid shard number.',
      isTransient: false,
    })
    expect((await store.executions()).rows).toEqual([])
  })

  test('may contain a thousand runs', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const sketches = Array.from({ length: 1200 }, (_, index) => ({ id: `run-${index}`, at: index }))
    await store.writeBatch(batchOf(sketches))
    const first = await store.executions({}, { limit: 1000 })
    const second = await store.executions(
      {},
      { limit: 1000, ...(first.next === undefined ? {} : { cursor: first.next }) },
    )
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(1200)
  })
})

describe('a run', () => {
  test('in progress is completed by its end', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf([{ id: 'run-1', outcome: undefined }]))
    expect((await store.executions()).rows).toMatchObject([
      { outcome: 'running', completeTime: undefined, duration: undefined, isSuccess: false },
    ])
    await store.writeBatch(batchOf([{ id: 'run-1', outcome: 'timeout', lasts: 5000 }]))
    expect((await store.executions()).rows).toMatchObject([
      {
        outcome: 'timeout',
        completeTime: assignment + 5000,
        duration: 5000,
        failureCause: 'it failed',
      },
    ])
  })

  test('that has ended is not reopened by its start', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf([{ id: 'run-1', outcome: 'failure' }]))
    await store.writeBatch(batchOf([{ id: 'run-1', outcome: undefined }]))
    expect((await store.executions()).rows).toMatchObject([
      { outcome: 'failure', failureCause: 'it failed' },
    ])
  })

  test('whose start and end are in one batch is one row', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    const [begun, ended] = [
      batchOf([{ id: 'run-1', outcome: undefined }]),
      batchOf([{ id: 'run-1', outcome: 'success' }]),
    ]
    await store.writeBatch({
      ...ended,
      executions: [...begun.executions, ...ended.executions],
      runs: [...begun.runs, ...ended.runs],
    })
    expect((await store.executions()).rows).toMatchObject([{ outcome: 'success' }])
  })
})

describe('a lost run', () => {
  test('is closed if its end is unknown', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(
      batchOf([
        { id: 'run-1', outcome: undefined },
        { id: 'run-2', shard: 1, outcome: undefined },
      ]),
    )
    await store.writeBatch(batch({ lost: [lostRun()] }))
    expect((await store.executions({ outcomes: ['lost'] })).rows).toMatchObject([
      {
        id: 'run-1',
        completeTime: assignment + 60_000,
        duration: 60_000,
        isSuccess: false,
        failureCause: 'Instance 10.0.0.1@-@17 was lost before the run ended.',
      },
    ])
    expect((await store.executions({ outcomes: ['running'] })).rows).toMatchObject([
      { id: 'run-2' },
    ])
  })

  test('keeps its end if it is known', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf([{ id: 'run-1' }]))
    expect(await store.closeAsLost([lostRun()])).toBe(0)
    expect((await store.executions()).rows).toMatchObject([{ outcome: 'success' }])
  })

  test('gets its real end if that arrives later', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    await store.writeBatch(batchOf([{ id: 'run-1', outcome: undefined }]))
    expect(await store.closeAsLost([lostRun()])).toBe(1)
    await store.writeBatch(batchOf([{ id: 'run-1', outcome: 'aborted' }]))
    expect((await store.executions()).rows).toMatchObject([{ outcome: 'aborted', duration: 2000 }])
  })

  test('without any written row is inserted', async () => {
    await using database = await TestDatabase.create()
    const store = await database.open()
    expect(await store.closeAsLost([lostRun({ attempt: 2, manualRun: 4 })])).toBe(1)
    expect((await store.executions()).rows).toMatchObject([
      { id: 'run-1', outcome: 'lost', ip: '10.0.0.1', details: { attempt: 2, manualRun: 4 } },
    ])
  })
})
