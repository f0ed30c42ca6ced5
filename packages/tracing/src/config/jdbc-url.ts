/** Converts the URLs of Java's data sources. */

export interface JdbcSource {
  readonly url: string
  readonly username?: string | undefined
  readonly password?: string | undefined
}

export type JdbcResult =
  | { readonly url: string; readonly reason?: undefined }
  | { readonly reason: string }

const schemes: Readonly<Record<string, string>> = Object.freeze({
  mysql: 'mysql',
  mariadb: 'mysql',
  postgresql: 'postgresql',
})

/** The URL of the same database for a history, or the reason why there is none. */
export function historyUrlOf({ url, username, password }: JdbcSource): JdbcResult {
  const file = /^jdbc:sqlite:(.+)$/.exec(url)?.[1]
  if (file !== undefined) return { url: `sqlite:${file}` }
  const [, product = '', rest = ''] = /^jdbc:([a-z0-9]+):\/\/(.*)$/s.exec(url) ?? []
  const scheme = schemes[product]
  if (scheme === undefined) {
    const name = /^jdbc:([a-z0-9]+):/.exec(url)?.[1] ?? 'this URL'
    return { reason: `a history supports SQLite, PostgreSQL, MySQL and MariaDB, not ${name}` }
  }
  let parsed: URL
  try {
    // A JDBC driver tries several hosts in order: use the first.
    parsed = new URL(`http://${rest.replace(/^([^/?,]+),[^/?]*/, '$1')}`)
  } catch {
    return { reason: 'its URL is invalid' }
  }
  const { searchParams: given } = parsed
  const user = username ?? given.get('user') ?? ''
  const secret = password ?? given.get('password') ?? ''
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`
  const mode = scheme === 'postgresql' ? given.get('sslmode') : null
  const tail = mode === null ? '' : `?sslmode=${encodeURIComponent(mode)}`
  return { url: `${scheme}://${login}${parsed.host}${parsed.pathname}${tail}` }
}
