import { Kysely, PostgresDialect } from 'kysely'

import type { Connection, ConnectOptions } from '../dialect.ts'
import { describeServer } from '../describe-server.ts'
import { loadDriver } from '../load-driver.ts'
import { Sockets } from '../sockets.ts'
import { product } from './failures.ts'

export function describe(url: string): string {
  return describeServer(product, url, 5432)
}

/** The types of whole numbers of eight bytes, and of `count(*)`: all of ours fit into a number. */
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
    // An idle history keeps no process alive.
    allowExitOnIdle: true,
    stream: () => sockets.create(),
    types: {
      getTypeParser: (oid, format) =>
        oid.valueOf() === int8 ? Number : (pg.types.getTypeParser(oid, format) as unknown),
    },
  })
  // A connection that breaks while nobody uses it: the next one is made when somebody does.
  pool.on('error', () => {})
  // One that breaks while it is used says so to whoever waits for it; an event that nobody hears would
  // end the process.
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
