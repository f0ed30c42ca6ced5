/** Decides which database a job's configuration may choose: addresses in the registry are not trusted. */
import { javaTracingOf } from './java-entry.ts'
import type { JdbcResult } from './jdbc-url.ts'

const defaultPorts: Readonly<Record<string, string>> = Object.freeze({
  'postgresql:': '5432',
  'mysql:': '3306',
})

interface Place {
  readonly host: string
  /** Empty for the default port. */
  readonly port: string
  /** Empty for any database of the server. */
  readonly database: string
}

/**
 * The database that a job's configuration names for its Java instances, if this process allows it; otherwise
 * the reason. Undefined for a job without one.
 * @param allowed `host`, `host:port`, `host/database` or `host:port/database`
 */
export function jobDatabaseOf(
  extras: readonly string[],
  allowed: readonly string[],
): JdbcResult | undefined {
  const named = javaTracingOf(extras)
  if (named?.reason !== undefined || named === undefined) return named
  if (named.url.startsWith('sqlite:')) {
    return {
      reason: 'its configuration names an SQLite file, which the registry must not choose',
    }
  }
  const url = new URL(named.url)
  const target = placeOf(`${url.host}${url.pathname}`) as Place
  const port = target.port || (defaultPorts[url.protocol] as string)
  const isAllowed = allowed.map(placeOf).some((place) => {
    if (place === undefined || place.host !== target.host) return false
    if ((place.port || defaultPorts[url.protocol]) !== port) return false
    return place.database === '' || place.database === target.database
  })
  if (isAllowed) return named
  const database = withoutPassword(named.url)
  const entry = `${target.host}:${port}/${target.database}`
  return {
    reason: `its configuration names ${database}, which this process does not allow: to record it there, add "${entry}" to allowedDatabases`,
  }
}

/** Undefined for a text that names no server. */
export function placeOf(text: string): Place | undefined {
  const url = URL.canParse(`db://${text}`) ? new URL(`db://${text}`) : undefined
  if (url === undefined || url.hostname === '' || /[@?#\s]|^\w+:\/\//.test(text)) return undefined
  const database = url.pathname.replace(/^\//, '')
  return { host: url.hostname.toLowerCase(), port: url.port, database }
}

/** A URL that is safe to print. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/([^:/@]*):[^@]*@/, '//$1@').replace(/\?.*$/s, '')
}
