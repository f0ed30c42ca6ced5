/** Sessions, and the audit log. */
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'

import type { Session } from '../../contract/session.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import type { Handlers } from '../http/handler.ts'
import { cookieName, type Identity, login } from '../http/identity.ts'
import { isSecure } from '../http/origin.ts'
import { openApi } from '../openapi.ts'
import type { Services } from '../services.ts'

type SessionHandlers = Pick<
  Handlers,
  | 'showSession'
  | 'login'
  | 'logout'
  | 'changePassword'
  | 'showOpenApi'
  | 'listAudit'
  | 'listRefusals'
>

export const sessionHandlers: SessionHandlers = {
  showSession: ({ identity, services }) => sessionOf(identity, services),

  login: async ({ body, context, notes, services }) => {
    const { username, password } = body
    const account = await login(context, services, username, password)
    const { token, session } = services.sessions.open(account.username)
    setSessionCookie(context, services, token, session.expires)
    context.header('identify', account.role)
    notes.username = account.username
    notes.role = account.role
    notes.messageParts = message('account-login', { username: account.username })
    return sessionOf({ ...account, session, token }, services)
  },

  logout: ({ identity, context, services }) => {
    if (identity.token !== undefined) services.sessions.close(identity.token)
    deleteCookie(context, cookieName, { path: cookiePath(services) })
    return { ok: true }
  },

  changePassword: async ({ body, identity, context, notes, services }) => {
    const { accounts, sessions } = services
    const { username, password, current } = body
    const account = accounts.find(username)
    const isOwn = username === identity.username
    if (!isOwn && identity.role !== 'root') {
      throw new ConsoleError('CONSOLE_FORBIDDEN', message('password-forbidden'))
    }
    // Required again: an open session alone must not be enough to take over the account.
    await login(context, services, identity.username, current)
    if (account === undefined) {
      throw new ConsoleError('CONSOLE_NOT_FOUND', message('account-unknown', { username }))
    }
    await accounts.setPassword(account.role, password)
    sessions.closeOthers(username, isOwn ? identity.token : undefined)
    notes.messageParts = message('password-changed', { username })
    return { ok: true }
  },

  showOpenApi: ({ services: { version, basePath } }) => openApi(version, basePath),

  listAudit: ({ query, services: { audit } }) => audit.list(query),

  listRefusals: ({ query, services: { refusals } }) => refusals.list(query.limit),
}

function sessionOf({ role, username, session }: Identity, { version, clock }: Services): Session {
  return {
    role,
    ...(role === 'nobody' ? {} : { username }),
    ...(session === undefined ? {} : { csrfToken: session.csrf, expires: session.expires }),
    version,
    now: clock.now(),
  }
}

function setSessionCookie(
  context: Context,
  services: Services,
  token: string,
  expires: number,
): void {
  const { trustProxy, clock } = services
  setCookie(context, cookieName, token, {
    path: cookiePath(services),
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(context, trustProxy),
    // The server decides when a session ends; the browser keeps the cookie a little longer.
    expires: new Date(Math.max(expires, clock.now()) + 30 * 86_400_000),
  })
}

/** Other applications on the same host do not receive the cookie. */
function cookiePath({ basePath }: Services): string {
  return basePath === '' ? '/' : basePath
}
