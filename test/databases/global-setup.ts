import type { TestProject } from 'vitest/node'

import { MariaDb, mariaDbAvailable } from '../services/mariadb.ts'
import { PostgreSql, postgreSqlAvailable } from '../services/postgresql.ts'
import type { ServiceProcess } from '../services/service-process.ts'
import { javaTracingAvailable } from './java-tracing.ts'

interface Kind {
  readonly product: string
  readonly isAvailable: () => boolean
  readonly start: () => Promise<ServiceProcess & { readonly url: string }>
}

/** Nothing that a test asks for survives it, so that no server has to wait for its disk. */
const kinds: Readonly<Record<'postgresql' | 'mariadb', Kind>> = {
  postgresql: {
    product: 'PostgreSQL',
    isAvailable: postgreSqlAvailable,
    start: () => PostgreSql.start({ settings: { fsync: 'off', max_connections: '60' } }),
  },
  mariadb: {
    product: 'MariaDB',
    isAvailable: mariaDbAvailable,
    start: () => MariaDb.start({ settings: { 'innodb-flush-log-at-trx-commit': '0' } }),
  },
}

/**
 * Starts the server that a project's tests share. Where it is not installed they are skipped, with the
 * command that changes it; in CI it is an error, because a skipped suite looks just like a passing one
 * there.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { database } = project.config.provide
  if (database === undefined) return undefined
  const { product, isAvailable, start } = kinds[database]
  if (!isAvailable()) {
    const message = `Tests with ${product} need it (\`npm run setup:databases\`)`
    if (process.env['CI'] === 'true') throw new Error(`${message}.`)
    console.warn(`${message}: they are skipped.`)
    project.provide('databaseUrl', 'missing')
    return undefined
  }
  if (!javaTracingAvailable()) {
    const message = `Tests beside real Java need a JDK and Maven (\`npm run setup:zookeeper\`)`
    if (process.env['CI'] === 'true') throw new Error(`${message}.`)
    console.warn(`${message}: they are skipped.`)
  }
  const server = await start()
  project.provide('databaseUrl', server.url)
  return () => server.stop()
}
