import { CompiledQuery, Kysely, MysqlDialect } from 'kysely'

import type { Connection, ConnectOptions } from '../dialect.ts'
import { describeServer } from '../describe-server.ts'
import { loadDriver } from '../load-driver.ts'
import { Sockets } from '../sockets.ts'
import { product } from './failures.ts'

export function describe(url: string): string {
  return describeServer(product, url, 3306)
}

/**
 * The settings of every connection. Times are sent as UTC. The driver escapes with backslashes, so
 * NO_BACKSLASH_ESCAPES must be off: otherwise a text could end its own quotes. READ COMMITTED avoids locks on
 * gaps. MySQL silently truncates group_concat after 1,024 characters by default.
 */
const settings = [
  "set session time_zone = '+00:00', session sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
  'set session transaction isolation level read committed',
  'set session group_concat_max_len = 1073741824',
]

export async function connect({
  url,
  timeout,
  maxConnections,
}: ConnectOptions): Promise<Connection> {
  const { default: mysql2 } = await loadDriver(product, 'mysql2', () => import('mysql2'))
  const sockets = new Sockets()
  const pool = mysql2.createPool({
    uri: url,
    connectionLimit: maxConnections,
    connectTimeout: timeout,
    charset: 'utf8mb4',
    dateStrings: true,
    stream: ({ config }: { config: { host: string; port: number } }) =>
      sockets.create().connect(config.port, config.host),
  })
  const dialect = new MysqlDialect({
    pool,
    onCreateConnection: async (connection) => {
      for (const setting of settings) await connection.executeQuery(CompiledQuery.raw(setting))
    },
  })
  const db = new Kysely<Record<string, never>>({ dialect })
  return {
    db,
    abandon: () => sockets.destroyAll(),
    close: async () => {
      const closed = db.destroy()
      sockets.destroyAll()
      await closed
    },
  }
}
