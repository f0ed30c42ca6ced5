/** The registries of the console: those it was started with, and those that were added. */
import type { Clock, Random, RegistryOptions } from '@elasticjob/core'
import { Operations } from '@elasticjob/core/operations'

import type { ConnectionTest, RegistryBody, RegistryEntry } from '../../contract/registries.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import type { NamespaceView } from '../live/namespace-view.ts'
import { reasonOf, partsOf } from '../message-fields.ts'
import type { ConnectionFile, StoredRegistry } from './connection-file.ts'
import { bottomOf, RegistryLink } from './registry-link.ts'

/** A registry that the console was started with. */
export interface NamedRegistry extends RegistryOptions {
  readonly name: string
  /** The data source of its history. */
  readonly dataSource?: string | undefined
}

export interface RegistriesOptions {
  readonly fixed: readonly NamedRegistry[]
  readonly file: ConnectionFile
  readonly clock: Clock
  readonly random: Random
  readonly filled?: (registry: string, view: NamespaceView) => void
}

/** The timeout of a connection test, in milliseconds. */
const testTimeout = 5000

export class Registries {
  readonly #options: RegistriesOptions
  readonly #links = new Map<string, RegistryLink>()

  constructor(options: RegistriesOptions) {
    this.#options = options
    for (const { name, dataSource: _, ...registry } of options.fixed) this.#link(name, registry)
    for (const stored of options.file.connections.registries) {
      if (!this.#isFixed(stored.name)) this.#link(stored.name, optionsOf(stored))
    }
  }

  get names(): string[] {
    return [...this.#links.keys()]
  }

  /** The named registry; without a name the preferred one, otherwise the first. */
  find(name: string | undefined, preferred?: string): RegistryLink {
    if (name !== undefined) {
      const link = this.#links.get(name)
      if (link !== undefined) return link
      throw new ConsoleError('CONSOLE_REGISTRY_UNKNOWN', message('registry-unknown', { name }))
    }
    const [first] = this.#links.values()
    const link = (preferred === undefined ? undefined : this.#links.get(preferred)) ?? first
    if (link !== undefined) return link
    throw new ConsoleError('CONSOLE_NO_REGISTRY', message('registry-absent'))
  }

  list(activated: string | undefined): RegistryEntry[] {
    const chosen = this.#links.size === 0 ? undefined : this.find(undefined, activated).name
    return this.names.map((name) => this.entry(name, chosen))
  }

  entry(name: string, activated: string | undefined): RegistryEntry {
    const { registry, state } = this.find(name)
    return {
      name,
      zkAddressList: serversOf(registry),
      namespace: registry.namespace,
      hasDigest: registry.digest !== undefined,
      dataSource: this.dataSourceOf(name),
      activated: name === activated,
      fixed: this.#isFixed(name),
      connection: state,
    }
  }

  dataSourceOf(name: string): string | undefined {
    const { fixed, file } = this.#options
    const all: readonly { name: string; dataSource?: string | undefined }[] = [
      ...fixed,
      ...file.connections.registries,
    ]
    return all.find((one) => one.name === name)?.dataSource
  }

  async save(body: RegistryBody): Promise<void> {
    this.#requireChangeable(body.name)
    const { file } = this.#options
    const stored = this.#storedFrom(body)
    const { registries } = file.connections
    const others = registries.filter(({ name }) => name !== body.name)
    file.write({ ...file.connections, registries: [...others, stored] })
    const before = this.#links.get(body.name)
    this.#link(stored.name, optionsOf(stored))
    await before?.close()
  }

  async remove(name: string): Promise<void> {
    const link = this.find(name)
    this.#requireChangeable(name)
    const { file } = this.#options
    const registries = file.connections.registries.filter((one) => one.name !== name)
    file.write({ ...file.connections, registries })
    this.#links.delete(name)
    await link.close()
  }

  /** Whether the connection works; otherwise the actual reason. */
  async test(body: RegistryBody): Promise<ConnectionTest> {
    try {
      await using operations = await Operations.connect({
        ...optionsOf(this.#storedFrom(body)),
        connectionTimeoutMilliseconds: testTimeout,
      })
      const jobNames = await operations.jobNames()
      const found = message('registry-jobs', { count: jobNames.length, namespace: body.namespace })
      return { ok: true, found: found.text, messageParts: partsOf(found) }
    } catch (error) {
      return { ok: false, ...reasonOf(bottomOf(error)) }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()))
  }

  #link(name: string, registry: RegistryOptions): void {
    const { clock, random, filled } = this.#options
    this.#links.set(
      name,
      new RegistryLink({
        name,
        registry,
        clock,
        random,
        filled: filled && ((view) => filled(name, view)),
      }),
    )
  }

  /** Without a new digest the stored one stays, but never for another address. */
  #storedFrom(body: RegistryBody): StoredRegistry {
    const { name, zkAddressList: servers, namespace, digest, noDigest, dataSource } = body
    const known = this.#options.file.connections.registries.find((one) => one.name === name)
    const kept = known?.servers === servers && noDigest !== true ? known.digest : undefined
    const used = digest === undefined || digest === '' ? kept : digest
    return {
      name,
      servers,
      namespace,
      ...(used === undefined ? {} : { digest: used }),
      ...(dataSource === undefined ? {} : { dataSource }),
    }
  }

  #isFixed(name: string): boolean {
    return this.#options.fixed.some((one) => one.name === name)
  }

  #requireChangeable(name: string): void {
    if (!this.#isFixed(name)) return
    throw new ConsoleError('CONSOLE_FIXED', message('registry-fixed', { name }))
  }
}

function optionsOf({ servers, namespace, digest }: StoredRegistry): RegistryOptions {
  return { servers, namespace, ...(digest === undefined ? {} : { digest }) }
}

function serversOf({ servers, serverLists }: RegistryOptions): string {
  const given = servers ?? serverLists ?? ''
  return typeof given === 'string' ? given : given.join(',')
}
