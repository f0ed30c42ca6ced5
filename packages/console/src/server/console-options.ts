/** The options of a console. */
import { homedir } from 'node:os'
import { join } from 'node:path'

import type { Clock, Logger, Random } from '@elasticjob/core'

import type { NamedSource } from './connections/data-sources.ts'
import type { NamedRegistry } from './connections/registries.ts'

/** The options of `createConsole()`. */
export interface ConsoleOptions {
  /**
   * Registries that are known from the start; users can add others in the page.
   * @default []
   */
  readonly registries?: readonly NamedRegistry[]
  /**
   * Databases with histories that are known from the start; users can add others in the page.
   * @default []
   */
  readonly dataSources?: readonly NamedSource[]
  /**
   * The directory for accounts, sessions, the audit log and added connections; false keeps them in memory until the
   * console stops.
   * @default '~/.elasticjob-console'
   */
  readonly directory?: string | false
  /**
   * The passwords of the two accounts, by their names; they replace the stored ones.
   * @default generated at the first start, and shown once
   */
  readonly passwords?: { readonly root?: string; readonly guest?: string }
  /**
   * Whether to trust the headers `X-Forwarded-For`, `-Host` and `-Proto` of a proxy. Set it only if no client can
   * reach the console around the proxy.
   * @default false
   */
  readonly trustProxy?: boolean
  /**
   * Further host names that the console answers for, such as `jobs.example`. `localhost`, IP addresses and the name
   * in `host` are always accepted. A request for another name is refused: a page of another origin could resolve its
   * own name to this machine and act as the console's own page.
   * @default []
   */
  readonly allowedHosts?: readonly string[]
  /**
   * The base path, such as `/elasticjob`, for a proxy that serves other applications at its root. It is part of every
   * URL: of the page, of the API and of the cookie.
   * @default '' for the root
   */
  readonly basePath?: string
  /**
   * The directory of the built page; false for the API only.
   * @default the page of this package
   */
  readonly page?: string | false
  /**
   * Logs the errors of the console itself; false for no log.
   * @default the process's console
   */
  readonly logger?: Logger | false
  /**
   * The source of time, for tests.
   * @default the system clock
   */
  readonly clock?: Clock
  /**
   * The source of randomness, for tests.
   * @default the system's randomness
   */
  readonly random?: Random
}

/** The options of `startConsole()`. */
export interface ListenOptions extends ConsoleOptions {
  /**
   * The port; 0 for any free port.
   * @default 8899
   */
  readonly port?: number
  /**
   * The address to listen on.
   * @default '127.0.0.1'
   */
  readonly host?: string
  /**
   * Receives the lines for the operator: the address, generated passwords, warnings.
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
