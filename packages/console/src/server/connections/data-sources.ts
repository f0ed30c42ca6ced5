/** The history databases of the console; each is opened with the first request for it. */
import { resolve } from 'node:path'

import type { Message } from '@elasticjob/core'
import { problem } from '@elasticjob/core/internal'
import {
  HistoryError,
  type HistoryOptions,
  type HistoryStore,
  openHistory,
} from '@elasticjob/tracing'

import type { DataSourceBody, DataSourceEntry } from '../../contract/data-sources.ts'
import type { ConnectionTest } from '../../contract/registries.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { reasonOf, partsOf } from '../message-fields.ts'
import type { ConnectionFile, StoredSource } from './connection-file.ts'
import { decoded, fullUrl, splitUrl, typeOf } from './source-url.ts'

/** A data source that the console was started with; its URL may contain user and password. */
export interface NamedSource {
  readonly name: string
  readonly url: string
}

/** The timeout of a connection test, in milliseconds. */
const testTimeout = 5000

export class DataSources {
  readonly #fixed: readonly StoredSource[]
  readonly #file: ConnectionFile
  readonly #ownFile: string | undefined
  readonly #stores = new Map<string, Promise<HistoryStore>>()

  constructor(
    fixed: readonly NamedSource[],
    file: ConnectionFile,
    /** The console's own database, which cannot be a data source. */
    ownFile?: string,
  ) {
    this.#fixed = fixed.map(splitUrl)
    this.#file = file
    this.#ownFile = ownFile
  }

  get #all(): readonly StoredSource[] {
    const added = this.#file.connections.dataSources
    return [...this.#fixed, ...added.filter(({ name }) => !this.#isFixed(name))]
  }

  /** The first existing one of the preferred names; otherwise the first of all. */
  #choose(preferred: readonly (string | undefined)[]): StoredSource | undefined {
    const names = preferred.filter((name) => name !== undefined)
    const found = names.map((name) => this.#all.find((one) => one.name === name))
    return found.find((one) => one !== undefined) ?? this.#all[0]
  }

  /** The history of the named source; without a name, of the first preferred one. */
  async history(
    name: string | undefined,
    preferred: readonly (string | undefined)[],
  ): Promise<HistoryStore> {
    const source = name === undefined ? this.#choose(preferred) : this.#named(name)
    if (source === undefined) {
      throw new ConsoleError('CONSOLE_NO_SOURCE', message('data-source-absent'))
    }
    const known = this.#stores.get(source.name)
    if (known !== undefined) return known
    // Creates tables in a database that a user has added, but never a file: its path may be mistyped.
    const opening = openHistory({ url: fullUrl(source), create: 'tables' })
    this.#stores.set(source.name, opening)
    try {
      return await opening
    } catch (error) {
      // The next request opens it again.
      if (this.#stores.get(source.name) === opening) this.#stores.delete(source.name)
      throw error
    }
  }

  list(preferred: readonly (string | undefined)[]): DataSourceEntry[] {
    const activated = this.#choose(preferred)?.name
    return this.#all.map((source) => this.#entry(source, activated))
  }

  entry(name: string, activated: string | undefined): DataSourceEntry {
    return this.#entry(this.#named(name), activated)
  }

  #entry(source: StoredSource, activated: string | undefined): DataSourceEntry {
    return {
      name: source.name,
      type: typeOf(source.url),
      url: source.url,
      username: source.username,
      hasPassword: source.password !== undefined,
      activated: source.name === activated,
      fixed: this.#isFixed(source.name),
    }
  }

  async save(body: DataSourceBody): Promise<void> {
    this.#requireChangeable(body.name)
    const source = this.#storedFrom(body)
    const others = this.#file.connections.dataSources.filter(({ name }) => name !== body.name)
    this.#file.write({ ...this.#file.connections, dataSources: [...others, source] })
    await this.#forget(body.name)
  }

  async remove(name: string): Promise<void> {
    this.#named(name)
    this.#requireChangeable(name)
    const dataSources = this.#file.connections.dataSources.filter((one) => one.name !== name)
    this.#file.write({ ...this.#file.connections, dataSources })
    await this.#forget(name)
  }

  async test(body: DataSourceBody): Promise<ConnectionTest> {
    try {
      const source = this.#storedFrom(body)
      const found = await lookAt({ url: fullUrl(source), timeout: testTimeout, create: 'nothing' })
      return { ok: true, found: found.text, messageParts: partsOf(found) }
    } catch (error) {
      return { ok: false, ...reasonOf(error) }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stores.keys()].map((name) => this.#forget(name)))
  }

  async #forget(name: string): Promise<void> {
    const store = this.#stores.get(name)
    this.#stores.delete(name)
    await (await store?.catch(() => undefined))?.close()
  }

  /** Without a new password the stored one stays, but never for another address. */
  #storedFrom({ name, url, username, password }: DataSourceBody): StoredSource {
    const source = splitUrl({
      name,
      url,
      ...(username === undefined || username === '' ? {} : { username }),
      ...(password === undefined || password === '' ? {} : { password }),
    })
    this.#requireOther(source)
    const known = this.#file.connections.dataSources.find((one) => one.name === name)
    const isSame = known?.url === source.url && known.username === source.username
    const kept = isSame ? known.password : undefined
    return source.password !== undefined || kept === undefined
      ? source
      : { ...source, password: kept }
  }

  #requireOther({ url }: StoredSource): void {
    const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
    if (path === undefined || this.#ownFile === undefined) return
    if (resolve(decoded(path)) !== resolve(this.#ownFile)) return
    const messageParts = message('own-database')
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      message('address-problem', { problem: messageParts }),
      {
        problems: [problem('url', messageParts)],
      },
    )
  }

  #named(name: string): StoredSource {
    const source = this.#all.find((one) => one.name === name)
    if (source !== undefined) return source
    throw new ConsoleError('CONSOLE_SOURCE_UNKNOWN', message('data-source-unknown', { name }))
  }

  #isFixed(name: string): boolean {
    return this.#fixed.some((one) => one.name === name)
  }

  #requireChangeable(name: string): void {
    if (!this.#isFixed(name)) return
    throw new ConsoleError('CONSOLE_FIXED', message('data-source-fixed', { name }))
  }
}

/** Describes what is there; creates and writes nothing. */
async function lookAt(options: HistoryOptions): Promise<Message> {
  try {
    await using store = await openHistory(options)
    const jobNames = await store.jobNames()
    return message('data-source-jobs', { description: store.description, count: jobNames.length })
  } catch (error) {
    if (!(error instanceof HistoryError) || error.code !== 'HISTORY_SCHEMA_MISSING') throw error
    return message('history-empty')
  }
}
