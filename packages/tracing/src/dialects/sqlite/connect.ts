import { mkdirSync } from 'node:fs'
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

import type { Connection, ConnectOptions, Database } from '../dialect.ts'
import { SqliteThread } from './sqlite-thread.ts'

export function describe(url: string): string {
  return `SQLite ${pathOf(url)}`
}

/** A lock is waited for within the time of the whole step, so that it is named as the cause. */
const busyShare = 0.8

export async function connect({ url, timeout }: ConnectOptions): Promise<Connection> {
  const path = pathOf(url)
  mkdirSync(dirname(path), { recursive: true })
  const thread = new SqliteThread({ path, busyTimeout: Math.round(timeout * busyShare) })
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

/** The file, whether its path is absolute or not: `sqlite:history.db`, `sqlite:///var/lib/history.db`. */
function pathOf(url: string): string {
  return resolve(decodeURIComponent(url.replace(/^sqlite:(\/\/)?/, '')))
}

/** One connection, one holder at a time. */
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
        throw new Error('Rows of SQLite are not streamed')
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

  /** Takes the lock of the writer at once: one that is asked for later cannot be waited for. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** A disk that is full ends the transaction by itself: that there is none left must not hide why. */
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
