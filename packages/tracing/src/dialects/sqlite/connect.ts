import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

import { message } from '../../message.ts'
import type { Connection, ConnectOptions, Database } from '../dialect.ts'

import { HistoryError } from '../../errors.ts'
import { SqliteThread } from './sqlite-thread.ts'

export function describe(url: string): string {
  return `SQLite ${pathOf(url)}`
}

/** The share of the step's timeout for waiting on a lock, so that the error names the lock as the cause. */
const busyShare = 0.8

export async function connect({
  url,
  timeout,
  create = 'file',
}: ConnectOptions): Promise<Connection> {
  const path = pathOf(url)
  if (!existsSync(path)) {
    if (create !== 'file') {
      throw new HistoryError('HISTORY_UNREACHABLE', message('history-file-missing', { path }))
    }
    makePrivate(path)
  }
  const thread = new SqliteThread({
    path,
    busyTimeout: Math.round(timeout * busyShare),
    isReadOnly: create === 'nothing',
  })
  const driver = new ThreadDriver(thread)
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const db: Database = new Kysely({ dialect })
  return {
    db,
    abandon: () => void thread.abandon(),
    close: () => db.destroy(),
  }
}

/**
 * Output of runs may be confidential: creates the file with restricted permissions before SQLite does, which
 * then uses the same mode for its other files.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

/** The file path, absolute or relative: `sqlite:history.db`, `sqlite:///var/lib/history.db`. */
function pathOf(url: string): string {
  return resolve(decodeURIComponent(url.replace(/^sqlite:(\/\/)?/, '')))
}

/** One connection, with one holder at a time. */
class ThreadDriver implements Driver {
  readonly #thread: SqliteThread
  readonly #connection: DatabaseConnection
  #last: Promise<void> = Promise.resolve()
  #release: (() => void) | undefined

  constructor(thread: SqliteThread) {
    this.#thread = thread
    this.#connection = {
      executeQuery: <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> =>
        thread.run(sql, parameters) as Promise<QueryResult<Row>>,
      streamQuery: () => {
        throw new Error('Streaming rows is not supported for SQLite')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    let release: (() => void) | undefined
    this.#last = new Promise((done) => {
      release = done
    })
    await before
    this.#release = release
    return this.#connection
  }

  /** Takes the write lock at once: SQLite cannot wait for a lock that is requested later. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** A full disk ends the transaction by itself; the missing transaction must not hide the cause. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error
    }
  }

  async releaseConnection(): Promise<void> {
    this.#release?.()
  }

  async destroy(): Promise<void> {
    await this.#thread.end()
  }
}
