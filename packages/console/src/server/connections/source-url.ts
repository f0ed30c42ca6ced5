/** Addresses of databases: with a password for whoever connects, without one for everybody else. */
import { problem, say } from '@elasticjob/core'

import { ConsoleError } from '../../errors.ts'
import type { StoredSource } from './connection-file.ts'

const types: Readonly<Record<string, string>> = {
  sqlite: 'sqlite',
  postgresql: 'postgresql',
  postgres: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** What JDBC writes before the address itself. */
function withoutJdbc(url: string): string {
  return url.replace(/^jdbc:/, '')
}

export function typeOf(url: string): string {
  const [, scheme = ''] = /^([a-z]+):/.exec(withoutJdbc(url)) ?? []
  const type = Object.hasOwn(types, scheme) ? types[scheme] : undefined
  if (type !== undefined) return type
  throw new ConsoleError(
    'CONSOLE_INPUT_INVALID',
    say`the address of a data source begins with sqlite:, postgresql:// or mysql://`,
    { problems: [problem('url', say`it begins with sqlite:, postgresql:// or mysql://`)] },
  )
}

/** Takes user and password out of an address that has them in it. */
export function splitUrl(source: StoredSource): StoredSource {
  const url = withoutJdbc(source.url)
  const type = typeOf(url)
  if (type === 'sqlite') return { ...source, url }
  if (!URL.canParse(url)) {
    throw new ConsoleError('CONSOLE_INPUT_INVALID', say`the address of ${type} is no URL`, {
      problems: [problem('url', say`it is no URL`)],
    })
  }
  const parsed = new URL(url)
  const username = source.username ?? (decodeURIComponent(parsed.username) || undefined)
  const password = source.password ?? (decodeURIComponent(parsed.password) || undefined)
  parsed.username = ''
  parsed.password = ''
  return {
    name: source.name,
    url: parsed.href,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  }
}

/** The address to connect with. */
export function fullUrl({ url, username, password }: StoredSource): string {
  if (typeOf(url) === 'sqlite') return url
  const full = new URL(url)
  full.username = encodeURIComponent(username ?? '')
  full.password = encodeURIComponent(password ?? '')
  return full.href
}
