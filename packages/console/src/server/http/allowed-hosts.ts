/**
 * The host names that the console answers for: a page of another origin must not resolve its own name to the console.
 */
import { isIP } from 'node:net'

import type { Context, MiddlewareHandler } from 'hono'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

export class AllowedHosts {
  readonly #names: ReadonlySet<string>

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()))
  }

  /** `host` without its port. An IP address is safe: only names can be resolved elsewhere. */
  has(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true
    return name === 'localhost' || name.endsWith('.localhost') || this.#names.has(name)
  }
}

export function requireAllowedHost(hosts: AllowedHosts, trustProxy: boolean): MiddlewareHandler {
  return async (context, next) => {
    const host = hostOf(context, trustProxy)
    if (!hosts.has(host)) {
      throw new ConsoleError(
        'CONSOLE_HOST_REFUSED',
        message('host-refused', { host: host.slice(0, 200) }),
      )
    }
    await next()
  }
}

/** The host name of the request. */
function hostOf({ req }: Context, trustProxy: boolean): string {
  const forwarded = trustProxy ? req.header('x-forwarded-host') : undefined
  const host = forwarded ?? req.header('host') ?? new URL(req.url).host
  return host.trim().replace(/:\d*$/, '')
}
