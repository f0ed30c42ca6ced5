import { describe, expect, test } from 'vitest'

import { Batch } from '../../src/notice/batch.ts'
import { failureOf } from '../support/failures.ts'

describe('failures that are told together', () => {
  test('are one where the error is the same', () => {
    const batch = new Batch()
    batch.add(failureOf(new Error('no'), { shardingItem: 4, runId: 'a' }), 10)
    batch.add(failureOf(new Error('no'), { shardingItem: 1, runId: 'b' }), 20)
    batch.add(failureOf(new Error('no'), { shardingItem: 4, runId: 'c' }), 30)
    batch.add(failureOf(new RangeError('no'), { shardingItem: 1, runId: 'd' }), 40)
    const notice = batch.noticeFor('job', 7)
    expect(notice).toMatchObject({
      jobName: 'job',
      count: 4,
      since: 10,
      until: 40,
      others: 0,
      untold: 7,
      groups: [
        { error: { name: 'Error', message: 'no' }, count: 3, items: [1, 4], run: { runId: 'c' } },
        { error: { name: 'RangeError' }, count: 1, items: [1], run: { runId: 'd' } },
      ],
    })
  })

  test('take the same room however many they are', () => {
    const batch = new Batch()
    for (let item = 0; item < 2_000; item++) {
      batch.add(failureOf(new Error(`no ${item % 100}`), { shardingItem: item }), item)
    }
    const { groups, count, others } = batch.noticeFor('job', 0)
    expect(count).toBe(2_000)
    expect(groups).toHaveLength(5)
    expect(others).toBe(1_900)
    expect(groups.map(({ items }) => items.length)).toEqual([20, 20, 20, 20, 20])
  })
})
