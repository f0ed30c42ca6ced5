/** Creates the parts of a console, and closes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Logger } from '@elasticjob/core'
import { maskedLogger, stackOf, systemClock, systemRandom } from '@elasticjob/core/internal'

import { Accounts } from './accounts/accounts.ts'
import { Choices } from './accounts/choices.ts'
import { KnownAddresses } from './accounts/known-addresses.ts'
import { Sessions } from './accounts/sessions.ts'
import { Throttle } from './accounts/throttle.ts'
import { createApp } from './app.ts'
import { AuditLog } from './audit/audit-log.ts'
import { Refusals } from './audit/refusals.ts'
import { ConnectionFile } from './connections/connection-file.ts'
import { DataSources } from './connections/data-sources.ts'
import { Registries } from './connections/registries.ts'
import { consoleDefaults, type ConsoleOptions } from './console-options.ts'
import { AllowedHosts } from './http/allowed-hosts.ts'
import { basePathOf } from './http/base-path.ts'
import { failedAnswer } from './http/failures.ts'
import type { NamespaceView } from './live/namespace-view.ts'
import { addRunsBefore } from './live/runs-before.ts'
import { StreamPlaces } from './live/stream-places.ts'
import { openDatabase } from './store/database.ts'

/** A console without a port: pass the requests of your own server to its `fetch`. */
export interface Console extends AsyncDisposable {
  readonly fetch: (request: Request, server?: object) => Response | Promise<Response>
  /** The base path of every URL; empty at the root. */
  readonly basePath: string
  /** The passwords that were generated at this start: show them, they are not stored. */
  readonly newPasswords: ReadonlyMap<string, string>
  /** Ends streams, and closes the connections to registries and databases. */
  stop(): Promise<void>
}

/**
 * ```ts
 * const console = await createConsole({ registries: [{ name: 'shop', servers, namespace: 'shop' }] })
 * serve({ fetch: console.fetch })
 * ```
 */
export async function createConsole(options: ConsoleOptions = {}): Promise<Console> {
  const {
    registries: fixed = [],
    dataSources = [],
    directory = consoleDefaults.directory,
    passwords = {},
    trustProxy = consoleDefaults.trustProxy,
    allowedHosts = [],
    basePath: path = consoleDefaults.basePath,
    page = fileURLToPath(new URL('../../dist/ui', import.meta.url)),
    logger: wanted = globalThis.console,
    clock = systemClock,
    random = systemRandom,
  } = options
  const basePath = basePathOf(path)
  const ownFile = directory === false ? undefined : join(directory, 'console.db')
  const database = openDatabase(ownFile ?? ':memory:')
  const file = new ConnectionFile(
    directory === false ? undefined : join(directory, 'connections.json'),
  )
  const logger = wanted === false ? silent : maskedLogger(wanted)
  const stopping = new AbortController()
  const accounts = new Accounts(database, clock, random)
  const sources = new DataSources(dataSources, file, ownFile)
  const registries = new Registries({ fixed, file, clock, random, filled: addHistory })
  const sessions = new Sessions(database, clock, random)
  const { made: newPasswords, changed } = await accounts.ensure(passwords)
  for (const username of changed) sessions.closeOthers(username, undefined)
  const app = createApp(
    {
      accounts,
      sessions,
      throttle: new Throttle(clock),
      knownAddresses: new KnownAddresses(database, clock),
      streams: new StreamPlaces(),
      hosts: new AllowedHosts(allowedHosts),
      choices: new Choices(database),
      audit: new AuditLog(database, clock),
      refusals: new Refusals(database, clock),
      registries,
      sources,
      clock,
      version: versionOf(),
      trustProxy,
      basePath,
      logger,
      failed,
      stopping: stopping.signal,
    },
    page === false ? undefined : page,
  )
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= end())
  return {
    fetch: (request, server) => app.fetch(request, server),
    basePath,
    newPasswords,
    stop,
    [Symbol.asyncDispose]: stop,
  }

  /** Without a readable history the strips of recent runs are shorter; everything else works. */
  function addHistory(registry: string, view: NamespaceView): void {
    void sources
      .history(undefined, [registries.dataSourceOf(registry)])
      .then((history) => addRunsBefore(view, history))
      .catch(() => {})
  }

  function failed(error: unknown): void {
    if (failedAnswer(error).status !== 500) return
    logger.error(stackOf(error))
  }

  async function end(): Promise<void> {
    stopping.abort()
    await Promise.all([registries.close(), sources.close()])
    database.close()
  }
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
