/** An empty database for one test, on the product that the suite runs against. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { CompiledQuery } from 'kysely'
import { inject } from 'vitest'

import type { Connection, Dialect } from '../../../src/dialects/dialect.ts'
import { mysql } from '../../../src/dialects/mysql/dialect.ts'
import { postgresql } from '../../../src/dialects/postgresql/dialect.ts'
import { sqlite } from '../../../src/dialects/sqlite/dialect.ts'
import type { HistoryStore } from '../../../src/store/history-store.ts'
import { openHistory } from '../../../src/store/open-history.ts'
import type { HistoryOptions } from '../../../src/store/options.ts'

export type ProductName = 'sqlite' | 'postgresql' | 'mysql'

/** Undefined for SQLite, which tests use to prepare themselves before they are skipped. */
const server = inject('databaseUrl') === 'missing' ? undefined : inject('databaseUrl')

export const product: ProductName =
  server === undefined ? 'sqlite' : server.startsWith('mysql') ? 'mysql' : 'postgresql'

export const dialect: Dialect = { sqlite, postgresql, mysql }[product]

type Row = Record<string, unknown>

let made = 0

export class TestDatabase implements AsyncDisposable {
  readonly url: string
  readonly #connection: Connection
  readonly #drop: () => Promise<void>
  readonly #stores: HistoryStore[] = []

  private constructor(url: string, connection: Connection, drop: () => Promise<void>) {
    this.url = url
    this.#connection = connection
    this.#drop = drop
  }

  static async create(): Promise<TestDatabase> {
    made += 1
    if (server === undefined) {
      const directory = mkdtempSync(join(tmpdir(), 'elasticjob-history-'))
      const url = `sqlite:${join(directory, 'history.db')}`
      return new TestDatabase(url, await connectTo(url), async () =>
        rmSync(directory, { recursive: true }),
      )
    }
    const name = `history_${process.pid}_${made}`
    await onServer(server, `create database ${name}`)
    const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
    return new TestDatabase(url, await connectTo(url), () =>
      onServer(server, `drop database ${name}`),
    )
  }

  /** Runs a statement without the store, like another program. */
  async query(statement: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const query = CompiledQuery.raw(statement, [...parameters])
    const { rows } = await this.#connection.db.executeQuery<Row>(query)
    return rows
  }

  /** A store that is closed with the database. */
  async open(options: HistoryOptions = {}): Promise<HistoryStore> {
    const store = await openHistory({ url: this.url, ...options })
    this.#stores.push(store)
    return store
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#stores) await store.close()
    await this.#connection.close()
    await this.#drop()
  }
}

function connectTo(url: string): Promise<Connection> {
  return dialect.connect({ url, timeout: 10_000, maxConnections: 2 })
}

async function onServer(url: string, statement: string): Promise<void> {
  const connection = await connectTo(url)
  await connection.db.executeQuery(CompiledQuery.raw(statement))
  await connection.close()
}
