/** Identifies the caller: by the cookie of a session, or by HTTP Basic. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'

import type { Role } from '../../contract/common.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { isSame, type Session } from '../accounts/sessions.ts'
import type { Services } from '../services.ts'
import { addressOf } from './origin.ts'

export interface Identity {
  readonly role: Role
  /** Empty without a login. */
  readonly username: string
  /** Undefined without a session cookie. */
  readonly session: Session | undefined
  readonly token: string | undefined
}

export const cookieName = 'elasticjob_console'

export const nobody: Identity = Object.freeze({
  role: 'nobody',
  username: '',
  session: undefined,
  token: undefined,
})

/** A wrong password is an error, not an anonymous request. */
export async function identify(context: Context, services: Services): Promise<Identity> {
  const { authorization } = context.req.header() as { authorization?: string }
  if (authorization !== undefined) return byPassword(context, services, authorization)
  const token = getCookie(context, cookieName)
  const session = token === undefined ? undefined : services.sessions.find(token)
  const account = session && services.accounts.find(session.username)
  if (session === undefined || account === undefined) return nobody
  return { ...account, session, token }
}

async function byPassword(
  context: Context,
  services: Services,
  authorization: string,
): Promise<Identity> {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? []
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) {
    throw new ConsoleError('CONSOLE_UNAUTHENTICATED', message('authorization-invalid'))
  }
  return login(context, services, pair.slice(0, colon), pair.slice(colon + 1))
}

/** The account of this name and password; wrong passwords are throttled. */
export async function login(
  context: Context,
  { accounts, throttle, knownAddresses, trustProxy }: Services,
  username: string,
  password: string,
): Promise<Identity> {
  const address = addressOf(context, trustProxy)
  const isKnown = knownAddresses.has(username, address)
  // Guesses from other addresses throttle the account, but not for addresses that have logged in before.
  const keys = [
    `address ${address}`,
    isKnown ? `account ${username} ${address}` : `account ${username}`,
  ]
  const account =
    accounts.remembered(username, password) ??
    (await throttle.attempt(
      keys,
      () => accounts.verify(username, password),
      isKnown ? 'known' : 'unknown',
    ))
  if (account === undefined) {
    throw new ConsoleError('CONSOLE_UNAUTHENTICATED', message('credentials-wrong'))
  }
  knownAddresses.add(username, address)
  return { ...account, session: undefined, token: undefined }
}

/** A request that a page of another origin triggers has the cookie, but not the token. */
export function requireOwnPage(context: Context, { session }: Identity): void {
  if (session === undefined) return
  const token = context.req.header('x-csrf-token') ?? ''
  if (isSame(token, session.csrf)) return
  throw new ConsoleError('CONSOLE_FORGED', message('csrf-token-invalid'))
}
