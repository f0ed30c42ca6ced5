import { Kysely, PostgresDialect } from 'kysely'

import type { Connection, ConnectOptions } from '../dialect.ts'
import { describeServer } from '../describe-server.ts'
import { loadDriver } from '../load-driver.ts'
import { Sockets } from '../sockets.ts'
import { product } from './failures.ts'

export function describe(url: string): string {
  return describeServer(product, url, 5432)
}

/** The type ids of 8-byte integers and of `count(*)`: all of our values fit into a number. */
const int8 = 20

export async function connect({
  url,
  timeout,
  maxConnections,
}: ConnectOptions): Promise<Connection> {
  const { default: pg } = await loadDriver(product, 'pg', () => import('pg'))
  const sockets = new Sockets()
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeout,
    application_name: 'elasticjob',
    keepAlive: true,
    // An idle history does not keep the process alive.
    allowExitOnIdle: true,
    stream: () => sockets.create(),
    types: {
      getTypeParser: (oid, format) =>
        oid.valueOf() === int8 ? Number : (pg.types.getTypeParser(oid, format) as unknown),
    },
  })
  // An idle connection broke: the next caller opens a new one.
  pool.on('error', () => {})
  // A connection that breaks in use fails its statement; an unhandled error event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) })
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
