/** For which names the console answers: not for one that a page elsewhere has made lead here. */
import { isIP } from 'node:net'

import type { Context, MiddlewareHandler } from 'hono'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

export class AllowedHosts {
  readonly #names: ReadonlySet<string>

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()))
  }

  /** `host` without its port. An address in digits was typed by somebody: no name leads elsewhere by it. */
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

/** The name that the browser has asked for. */
function hostOf({ req }: Context, trustProxy: boolean): string {
  const forwarded = trustProxy ? req.header('x-forwarded-host') : undefined
  const host = forwarded ?? req.header('host') ?? new URL(req.url).host
  return host.trim().replace(/:\d*$/, '')
}
