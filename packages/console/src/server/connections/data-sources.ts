/** All databases with histories that the console knows; opened when somebody asks. */
import { existsSync } from 'node:fs'

import { say } from '@elasticjob/core'
import { type HistoryStore, openHistory } from '@elasticjob/tracing'

import type { DataSourceBody, DataSourceEntry } from '../../contract/data-sources.ts'
import type { ConnectionTest } from '../../contract/registries.ts'
import { ConsoleError } from '../../errors.ts'
import { reasonOf, saidOf } from '../wire-words.ts'
import type { ConnectionFile, StoredSource } from './connection-file.ts'
import { fullUrl, splitUrl, typeOf } from './source-url.ts'

/** A data source that the console was started with; user and password may stand in the address. */
export interface NamedSource {
  readonly name: string
  readonly url: string
}

export class DataSources {
  readonly #fixed: readonly StoredSource[]
  readonly #file: ConnectionFile
  readonly #open: (url: string) => Promise<HistoryStore>
  readonly #stores = new Map<string, Promise<HistoryStore>>()

  constructor(
    fixed: readonly NamedSource[],
    file: ConnectionFile,
    open: (url: string) => Promise<HistoryStore> = (url) => openHistory({ url }),
  ) {
    this.#fixed = fixed.map(splitUrl)
    this.#file = file
    this.#open = open
  }

  get #all(): readonly StoredSource[] {
    const added = this.#file.connections.dataSources
    return [...this.#fixed, ...added.filter(({ name }) => !this.#isFixed(name))]
  }

  /** The first that there is among the names that are preferred; else the first of all. */
  #choose(preferred: readonly (string | undefined)[]): StoredSource | undefined {
    const names = preferred.filter((name) => name !== undefined)
    const found = names.map((name) => this.#all.find((one) => one.name === name))
    return found.find((one) => one !== undefined) ?? this.#all[0]
  }

  /** The history of the source of that name; without a name, the first that is preferred. */
  async history(
    name: string | undefined,
    preferred: readonly (string | undefined)[],
  ): Promise<HistoryStore> {
    const source = name === undefined ? this.#choose(preferred) : this.#named(name)
    if (source === undefined) {
      throw new ConsoleError(
        'CONSOLE_NO_SOURCE',
        say`no data source is known yet: add the database that the jobs are recorded in`,
      )
    }
    const known = this.#stores.get(source.name)
    if (known !== undefined) return known
    const opening = this.#open(fullUrl(source))
    this.#stores.set(source.name, opening)
    try {
      return await opening
    } catch (error) {
      // The next one who asks tries again.
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
      requireFile(source)
      await using store = await this.#open(fullUrl(source))
      const jobNames = await store.jobNames()
      const found = say`${store.description}: runs of ${jobNames.length} jobs`
      return { ok: true, found: found.text, said: saidOf(found) }
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

  /** A password that is not said again stays the one that is stored, but never for another address. */
  #storedFrom({ name, url, username, password }: DataSourceBody): StoredSource {
    const source = splitUrl({
      name,
      url,
      ...(username === undefined || username === '' ? {} : { username }),
      ...(password === undefined || password === '' ? {} : { password }),
    })
    const known = this.#file.connections.dataSources.find((one) => one.name === name)
    const isSame = known?.url === source.url && known.username === source.username
    const kept = isSame ? known.password : undefined
    return source.password !== undefined || kept === undefined
      ? source
      : { ...source, password: kept }
  }

  #named(name: string): StoredSource {
    const source = this.#all.find((one) => one.name === name)
    if (source !== undefined) return source
    throw new ConsoleError('CONSOLE_SOURCE_UNKNOWN', say`there is no data source "${name}"`)
  }

  #isFixed(name: string): boolean {
    return this.#fixed.some((one) => one.name === name)
  }

  #requireChangeable(name: string): void {
    if (!this.#isFixed(name)) return
    throw new ConsoleError(
      'CONSOLE_FIXED',
      say`the data source "${name}" was given when the console was started, and can only be changed there`,
    )
  }
}

/** Opened, a file comes into being: who only wants to know does not want that. */
function requireFile({ url }: StoredSource): void {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  if (path === undefined || existsSync(path)) return
  throw new ConsoleError(
    'CONSOLE_SOURCE_UNKNOWN',
    say`there is no file ${path} on the console's machine`,
  )
}
