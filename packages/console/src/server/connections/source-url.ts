/** URLs of databases: with the password for the connection, without it for everything else. */
import { problem } from '@elasticjob/core/internal'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import type { StoredSource } from './connection-file.ts'

const types: Readonly<Record<string, string>> = {
  sqlite: 'sqlite',
  postgresql: 'postgresql',
  postgres: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** The prefix of a JDBC URL. */
function withoutJdbc(url: string): string {
  return url.replace(/^jdbc:/, '')
}

export function typeOf(url: string): string {
  const [, scheme = ''] = /^([a-z]+):/.exec(withoutJdbc(url)) ?? []
  const type = Object.hasOwn(types, scheme) ? types[scheme] : undefined
  if (type !== undefined) return type
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message('data-source-scheme'), {
    problems: [problem('url', message('url-scheme'))],
  })
}

/** Separates user and password from a URL that contains them. */
export function splitUrl(source: StoredSource): StoredSource {
  const url = withoutJdbc(source.url)
  const type = typeOf(url)
  if (type === 'sqlite') return { ...source, url }
  if (!URL.canParse(url)) {
    throw new ConsoleError('CONSOLE_INPUT_INVALID', message('data-source-url-invalid', { type }), {
      problems: [problem('url', message('url-invalid'))],
    })
  }
  const parsed = new URL(url)
  const { searchParams: given } = parsed
  const username = source.username ?? (decoded(parsed.username) || given.get('user') || undefined)
  const password =
    source.password ?? (decoded(parsed.password) || given.get('password') || undefined)
  parsed.username = ''
  parsed.password = ''
  // A JDBC URL has them in its query.
  given.delete('user')
  given.delete('password')
  return {
    name: source.name,
    url: parsed.href,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  }
}

/** A `%` that does not begin an escape is taken literally. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The URL to connect with. */
export function fullUrl({ url, username, password }: StoredSource): string {
  if (typeOf(url) === 'sqlite') return url
  const full = new URL(url)
  full.username = encodeURIComponent(username ?? '')
  full.password = encodeURIComponent(password ?? '')
  return full.href
}
