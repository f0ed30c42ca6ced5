import { expect, test } from 'vitest'

import { batch, batchOf, chunk, assignment } from './support/records.ts'
import { TestDatabase } from './support/test-database.ts'

test('run() returns every attempt at the same shard and fire time', async () => {
  await using database = await TestDatabase.create()
  const store = await database.open()
  const fireTime = assignment
  await store.writeBatch(
    batchOf([
      { id: 'second', attempt: 2, fireTime, at: 60_000, ip: '10.0.0.2' },
      { id: 'first', attempt: 1, fireTime, outcome: 'lost' },
      { id: 'other-item', shard: 1, fireTime },
      { id: 'other-time', fireTime: assignment + 1 },
      { id: 'other-job', jobName: 'report', fireTime },
    ]),
  )
  const found = await store.run('second')
  expect(found?.execution).toMatchObject({ id: 'second', ip: '10.0.0.2' })
  expect(found?.attempts.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['first', 'lost'],
    ['second', 'success'],
  ])
})

test('run() returns undefined for an unknown run', async () => {
  await using database = await TestDatabase.create()
  const store = await database.open()
  expect(await store.run('nobody')).toBeUndefined()
})

test('log() returns the chunks in order, also after the last sequence', async () => {
  await using database = await TestDatabase.create()
  const store = await database.open()
  const logs = [2, 0, 1].map((sequence) => chunk({ sequence, text: `line ${sequence}` }))
  await store.writeBatch(batch({ logs: [...logs, chunk({ runId: 'run-2' })] }))
  const first = await store.log('run-1', { limit: 2 })
  expect(first.chunks.map(({ text }) => text)).toEqual(['line 0', 'line 1'])
  expect(first.hasMore).toBe(true)
  const rest = await store.log('run-1', { after: 1 })
  expect(rest).toMatchObject({ chunks: [{ text: 'line 2' }], hasMore: false })
  expect(await store.log('run-1', { after: 2 })).toEqual({ chunks: [], hasMore: false })
})
