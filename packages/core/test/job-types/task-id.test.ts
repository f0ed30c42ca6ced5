import fc from 'fast-check'
import { expect, test } from 'vitest'

import { composeTaskId } from '../../src/job-types/task-id.ts'

test('has the form that Java writes', () => {
  expect(composeTaskId('sync-orders', [0, 2], '10.0.0.1@-@4711')).toBe(
    'sync-orders@-@0,2@-@READY@-@10.0.0.1@-@4711',
  )
})

test('has no shards where nothing runs', () => {
  const text = composeTaskId('sync-orders', [], '10.0.0.1@-@4711')
  expect(text).toBe('sync-orders@-@@-@READY@-@10.0.0.1@-@4711')
})

test('is split by consoles into the parts that it was made of', () => {
  const word = fc.stringMatching(/^[a-z0-9.-]{1,12}$/)
  fc.assert(
    fc.property(word, fc.array(fc.nat()), word, word, (jobName, shardingItems, ip, rest) => {
      const text = composeTaskId(jobName, shardingItems, `${ip}@-@${rest}`)
      expect(text.split('@-@')).toEqual([jobName, shardingItems.join(','), 'READY', ip, rest])
    }),
  )
})
