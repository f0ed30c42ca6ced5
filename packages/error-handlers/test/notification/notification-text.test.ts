import { expect, test } from 'vitest'

import { notificationTextOf } from '../../src/notification/notification-text.ts'
import { failureOf, notificationOf } from '../support/failures.ts'

function errorWith(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}\n    at sync (orders.ts:1:2)`
  return error
}

test('noticeTextOf describes one failure', () => {
  expect(notificationTextOf(notificationOf(failureOf(errorWith('no\nluck'))))).toBe(
    [
      "Job 'sync-orders' failed at 2026-01-01T00:00:00.000Z: no",
      '',
      'shard 3, on 10.0.1.1@-@17, for 2026-01-01T00:00:00.000Z (cron, attempt 1, run Zm9vYmFyYmF6):',
      'Error: no',
      'luck',
      '    at sync (orders.ts:1:2)',
    ].join('\n'),
  )
})

test('noticeTextOf describes several failures, and earlier ones that could not be sent', () => {
  const failures = [failureOf(errorWith('no')), failureOf(errorWith('no'), { shardingItem: 0 })]
  const notification = {
    ...notificationOf(...failures, failureOf(errorWith('why'))),
    others: 1,
    untold: 12,
  }
  const text = notificationTextOf({ ...notification, count: 4, until: notification.until + 59_000 })
  expect(text.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
    "Job 'sync-orders' failed 4 times from 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:59.000Z: no",
    '',
    '2 times, shards 0, 3, last on 10.0.1.1@-@17, for 2026-01-01T00:00:00.000Z (cron, attempt 1, run Zm9vYmFyYmF6):',
    'Error: no',
    '',
    'once, shard 3, last on 10.0.1.1@-@17, for 2026-01-01T00:00:00.000Z (cron, attempt 1, run Zm9vYmFyYmF6):',
    'Error: why',
    '',
    'And once with other errors.',
    '',
    'Earlier, it failed 12 times and the notification could not be sent.',
  ])
})
