import fc from 'fast-check'
import { expect, test } from 'vitest'

import { composeTaskId, parseTaskId } from '../../src/job-types/task-id.ts'

test('has the form that Java writes', () => {
  expect(composeTaskId('sync-orders', [0, 2], '10.0.0.1@-@4711')).toBe(
    'sync-orders@-@0,2@-@READY@-@10.0.0.1@-@4711',
  )
})

test('has no shards where nothing runs', () => {
  const text = composeTaskId('sync-orders', [], '10.0.0.1@-@4711')
  expect(text).toBe('sync-orders@-@@-@READY@-@10.0.0.1@-@4711')
  expect(parseTaskId(text)?.shardingItems).toEqual([])
})

test('is read again as it was written', () => {
  const word = fc.stringMatching(/^[a-z0-9.-]{1,12}$/)
  fc.assert(
    fc.property(word, fc.array(fc.nat()), word, word, (jobName, shardingItems, ip, rest) => {
      const instanceId = `${ip}@-@${rest}`
      expect(parseTaskId(composeTaskId(jobName, shardingItems, instanceId))).toEqual({
        jobName,
        shardingItems,
        executionType: 'READY',
        instanceId,
        ip,
      })
    }),
  )
})

test('may be of a failover', () => {
  expect(parseTaskId('job@-@1@-@FAILOVER@-@10.0.0.1@-@1')?.executionType).toBe('FAILOVER')
})

test.for([
  '',
  'job',
  'job@-@0@-@READY@-@10.0.0.1',
  'job@-@0@-@READY@-@10.0.0.1@-@',
  'job@-@0@-@READY@-@10.0.0.1@-@1@-@2',
  '@-@0@-@READY@-@10.0.0.1@-@1',
  'job@-@a@-@READY@-@10.0.0.1@-@1',
  'job@-@0,@-@READY@-@10.0.0.1@-@1',
  'job@-@0@-@STAGING@-@10.0.0.1@-@1',
])('is not %j', (text) => {
  expect(parseTaskId(text)).toBeUndefined()
})
