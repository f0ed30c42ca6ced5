/** How a console is started. */
import { homedir } from 'node:os'
import { join } from 'node:path'

import type { Clock, Logger, Random } from '@elasticjob/core'

import type { NamedSource } from './connections/data-sources.ts'
import type { NamedRegistry } from './connections/registries.ts'

/** The options of `createConsole()`. */
export interface ConsoleOptions {
  /**
   * Registries that are known from the start; further ones are added in the page.
   * @default []
   */
  readonly registries?: readonly NamedRegistry[]
  /**
   * Databases with histories that are known from the start; further ones are added in the page.
   * @default []
   */
  readonly dataSources?: readonly NamedSource[]
  /**
   * Where accounts, sessions, the audit and what is added are kept; false for nowhere, so that all of it
   * is gone when the console stops.
   * @default '~/.elasticjob-console'
   */
  readonly directory?: string | false
  /**
   * Passwords of the two accounts, by their names; they replace those that are stored.
   * @default made up when there is none yet, and shown once
   */
  readonly passwords?: { readonly root?: string; readonly guest?: string }
  /**
   * Whether a proxy in front of the console says who asks, by `X-Forwarded-For`, `-Host` and `-Proto`. Only
   * where nobody can reach the console without it.
   * @default false
   */
  readonly trustProxy?: boolean
  /**
   * Names under which browsers may ask the console, such as `jobs.example`, beside `localhost`, addresses in digits and
   * the name in `host`. A page elsewhere could have its own name lead to this machine, and ask as if it were the
   * console's own page: a request for another name is refused.
   * @default []
   */
  readonly allowedHosts?: readonly string[]
  /**
   * The path that the console stands below, such as `/elasticjob`, where a proxy has other things at its root.
   * It is part of every address: of the page, of the API and of the cookie.
   * @default '' for the root
   */
  readonly basePath?: string
  /**
   * The folder of the built page; false for the API alone.
   * @default the page that comes with this package
   */
  readonly page?: string | false
  /**
   * Logs the errors of the console itself; false for no log.
   * @default the process's console
   */
  readonly logger?: Logger | false
  /**
   * Where time comes from; tests bring their own.
   * @default the machine's
   */
  readonly clock?: Clock
  /**
   * Where chance comes from; tests bring their own.
   * @default the machine's
   */
  readonly random?: Random
}

/** The options of `startConsole()`. */
export interface ListenOptions extends ConsoleOptions {
  /**
   * The port; 0 for one that is free.
   * @default 8899
   */
  readonly port?: number
  /**
   * The address to listen on.
   * @default '127.0.0.1'
   */
  readonly host?: string
  /**
   * Told what a person has to know: the address, passwords that were made up, warnings.
   * @default the console's standard output
   */
  readonly tell?: (line: string) => void
}

/** The defaults of `ConsoleOptions`. */
export const consoleDefaults: Readonly<{
  port: number
  host: string
  directory: string
  trustProxy: boolean
  basePath: string
}> = Object.freeze({
  port: 8899,
  host: '127.0.0.1',
  directory: join(homedir(), '.elasticjob-console'),
  trustProxy: false,
  basePath: '',
})
