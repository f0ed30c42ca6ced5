import { expect, test } from 'vitest'

import { noticeTextOf } from '../../src/notice/notice-text.ts'
import { failureOf, noticeOf } from '../support/failures.ts'

function errorWith(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}\n    at sync (orders.ts:1:2)`
  return error
}

test('one failure', () => {
  expect(noticeTextOf(noticeOf(failureOf(errorWith('no\nluck'))))).toBe(
    [
      "Job 'sync-orders' failed at 2026-01-01T00:00:00.000Z: no",
      '',
      'item 3, on 10.0.1.1@-@17, for 2026-01-01T00:00:00.000Z (cron, attempt 1, run Zm9vYmFyYmF6):',
      'Error: no',
      'luck',
      '    at sync (orders.ts:1:2)',
    ].join('\n'),
  )
})

test('several failures, and some that were never told', () => {
  const failures = [failureOf(errorWith('no')), failureOf(errorWith('no'), { shardingItem: 0 })]
  const notice = { ...noticeOf(...failures, failureOf(errorWith('why'))), others: 1, untold: 12 }
  const text = noticeTextOf({ ...notice, count: 4, until: notice.until + 59_000 })
  expect(text.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
    "Job 'sync-orders' failed 4 times from 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:59.000Z: no",
    '',
    '2 times, items 0, 3, last on 10.0.1.1@-@17, for 2026-01-01T00:00:00.000Z (cron, attempt 1, run Zm9vYmFyYmF6):',
    'Error: no',
    '',
    'once, item 3, last on 10.0.1.1@-@17, for 2026-01-01T00:00:00.000Z (cron, attempt 1, run Zm9vYmFyYmF6):',
    'Error: why',
    '',
    'And once with other errors.',
    '',
    'Before, it failed 12 times without this message arriving.',
  ])
})
