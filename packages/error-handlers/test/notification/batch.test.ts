import { describe, expect, test } from 'vitest'

import { Batch } from '../../src/notification/batch.ts'
import { failureOf } from '../support/failures.ts'

describe('Batch', () => {
  test('groups failures with the same error', () => {
    const batch = new Batch()
    batch.add(failureOf(new Error('no'), { shardingItem: 4, runId: 'a' }), 10)
    batch.add(failureOf(new Error('no'), { shardingItem: 1, runId: 'b' }), 20)
    batch.add(failureOf(new Error('no'), { shardingItem: 4, runId: 'c' }), 30)
    batch.add(failureOf(new RangeError('no'), { shardingItem: 1, runId: 'd' }), 40)
    const notification = batch.notificationFor('job', 7)
    expect(notification).toMatchObject({
      jobName: 'job',
      count: 4,
      since: 10,
      until: 40,
      others: 0,
      untold: 7,
      groups: [
        { error: { name: 'Error', message: 'no' }, count: 3, shards: [1, 4], run: { runId: 'c' } },
        { error: { name: 'RangeError' }, count: 1, shards: [1], run: { runId: 'd' } },
      ],
    })
  })

  test('has a bounded size for any number of failures', () => {
    const batch = new Batch()
    for (let shard = 0; shard < 2_000; shard++) {
      batch.add(failureOf(new Error(`no ${shard % 100}`), { shardingItem: shard }), shard)
    }
    const { groups, count, others } = batch.notificationFor('job', 0)
    expect(count).toBe(2_000)
    expect(groups).toHaveLength(5)
    expect(others).toBe(1_900)
    expect(groups.map(({ shards }) => shards.length)).toEqual([20, 20, 20, 20, 20])
  })
})
