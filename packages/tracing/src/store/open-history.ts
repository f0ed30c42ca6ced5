import type { Dialect } from '../dialects/dialect.ts'
import { mysql } from '../dialects/mysql/dialect.ts'
import { postgresql } from '../dialects/postgresql/dialect.ts'
import { sqlite } from '../dialects/sqlite/dialect.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import type { HistoryStore } from './history-store.ts'
import { historyDefaults, type HistoryOptions } from './options.ts'
import { SqlHistoryStore } from './sql-history-store.ts'

const dialects: Readonly<Record<string, Dialect>> = {
  sqlite,
  postgresql,
  postgres: postgresql,
  mysql,
  mariadb: mysql,
}

/**
 * Opens a history: connects to its database, finds Java's tables and ours, and creates missing ones. Several
 * processes may do this at once.
 */
export async function openHistory(options: HistoryOptions = {}): Promise<HistoryStore> {
  const url = options.url ?? historyDefaults.url
  const [, scheme = ''] = /^([a-z]+):/.exec(url) ?? []
  const dialect = Object.hasOwn(dialects, scheme) ? dialects[scheme] : undefined
  // The URL may contain a password, so no message repeats it.
  if (dialect === undefined)
    throw new HistoryError('HISTORY_URL_INVALID', message('history-scheme'))
  if (dialect !== sqlite && !URL.canParse(url))
    throw new HistoryError(
      'HISTORY_URL_INVALID',
      message('history-url-invalid', { product: dialect.product }),
    )
  if (dialect !== sqlite && new URL(url).pathname.includes('@'))
    throw new HistoryError(
      'HISTORY_URL_INVALID',
      message('history-url-password', { product: dialect.product }),
    )
  return SqlHistoryStore.open(dialect, url.replace(/^mariadb:/, 'mysql:'), options)
}
