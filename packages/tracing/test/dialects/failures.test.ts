import { describe, expect, test } from 'vitest'

import type { Dialect } from '../../src/dialects/dialect.ts'
import { mysql } from '../../src/dialects/mysql/dialect.ts'
import { postgresql } from '../../src/dialects/postgresql/dialect.ts'
import { sqlite } from '../../src/dialects/sqlite/dialect.ts'
import { HistoryError } from '../../src/errors.ts'

const meanings: readonly (readonly [Dialect, string, string])[] = [
  [sqlite, 'SQLITE_BUSY', 'HISTORY_BUSY'],
  [sqlite, 'SQLITE_BUSY_SNAPSHOT', 'HISTORY_BUSY'],
  [sqlite, 'SQLITE_FULL', 'HISTORY_FULL'],
  [sqlite, 'SQLITE_READONLY_DIRECTORY', 'HISTORY_REFUSED'],
  [sqlite, 'SQLITE_CORRUPT', 'HISTORY_FAILED'],
  [postgresql, '57P01', 'HISTORY_UNREACHABLE'],
  [postgresql, '57014', 'HISTORY_BUSY'],
  [postgresql, '40P01', 'HISTORY_BUSY'],
  [postgresql, '53100', 'HISTORY_FULL'],
  [postgresql, '53300', 'HISTORY_BUSY'],
  [postgresql, '28P01', 'HISTORY_REFUSED'],
  [postgresql, '42601', 'HISTORY_FAILED'],
  [postgresql, 'ECONNREFUSED', 'HISTORY_UNREACHABLE'],
  [mysql, 'PROTOCOL_CONNECTION_LOST', 'HISTORY_UNREACHABLE'],
  [mysql, 'ER_LOCK_DEADLOCK', 'HISTORY_BUSY'],
  [mysql, 'ER_DISK_FULL', 'HISTORY_FULL'],
  [mysql, 'ER_ACCESS_DENIED_ERROR', 'HISTORY_REFUSED'],
  [mysql, 'ER_PARSE_ERROR', 'HISTORY_FAILED'],
  [mysql, 'ECONNRESET', 'HISTORY_UNREACHABLE'],
]

describe("a driver's error", () => {
  test.for(
    meanings.map(([dialect, code, meaning]) => [dialect.product, code, meaning, dialect] as const),
  )('%s %s is a %s', ([product, code, meaning, dialect]) => {
    const cause = Object.assign(new Error('why'), { code })
    expect(dialect.failureOf(cause)).toMatchObject({
      code: meaning,
      message: `${product}: why`,
      cause,
    })
  })

  test('that is a HistoryError stays unchanged', () => {
    const ours = new HistoryError('HISTORY_CLOSED', 'closed')
    expect(sqlite.failureOf(ours)).toBe(ours)
  })
})
