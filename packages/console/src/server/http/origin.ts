/** The origin of a request: the address of the client, and the page. */
import { getConnInfo } from '@hono/node-server/conninfo'

import type { Context } from 'hono'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

/** The address of the client; behind a trusted proxy, the address that the proxy reports. */
export function addressOf(context: Context, trustProxy: boolean): string {
  if (trustProxy) {
    // The last entry is the proxy's own: clients can forge the entries before it.
    const forwarded = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
    if (forwarded !== undefined && forwarded !== '') return forwarded
  }
  try {
    return getConnInfo(context).remote.address ?? 'unknown'
  } catch {
    // Called without a socket, by the program that has mounted the console.
    return 'unknown'
  }
}

export function isSecure(context: Context, trustProxy: boolean): boolean {
  if (trustProxy && context.req.header('x-forwarded-proto') === 'https') return true
  return context.req.url.startsWith('https:')
}

/** A browser sends the origin of the page; a client without that header is not a browser. */
export function requireSameOrigin(context: Context, trustProxy: boolean): void {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return
    throw forged(site)
  }
  const origin = context.req.header('origin')
  if (origin === undefined) return
  const forwarded = trustProxy ? context.req.header('x-forwarded-host') : undefined
  const host = forwarded ?? context.req.header('host')
  if (URL.canParse(origin) && new URL(origin).host === host) return
  throw forged(origin)
}

function forged(from: string): ConsoleError {
  return new ConsoleError(
    'CONSOLE_FORGED',
    message('origin-refused', { origin: from.slice(0, 200) }),
  )
}
