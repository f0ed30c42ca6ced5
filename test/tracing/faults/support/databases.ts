/** The servers that tests do harm to, and a way to ask them past everything of ours. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { MariaDb, mariaDbAvailable } from '../../../services/mariadb.ts'
import { PostgreSql, postgreSqlAvailable } from '../../../services/postgresql.ts'
import type { ServiceProcess } from '../../../services/service-process.ts'

export type Server = ServiceProcess & { readonly url: string }

export interface DatabaseKind {
  readonly name: string
  readonly isAvailable: boolean
  start(): Promise<Server>
  /** The program and the arguments of its own client. */
  client(server: Server): readonly [program: string, ...args: string[]]
  /** Keeps everybody else from the runs, as long as the connection lasts. */
  readonly lock: string
  /** Lets the tables that will be made live in this directory, and leaves all else where it is. */
  putTables(server: Server, directory: string): Promise<void>
}

export const databaseKinds: readonly DatabaseKind[] = [
  {
    name: 'PostgreSQL',
    isAvailable: postgreSqlAvailable(),
    start: () => PostgreSql.start({ settings: { fsync: 'off' } }),
    client: ({ url }) => ['psql', url, '--quiet', '--no-align', '--tuples-only', '--no-psqlrc'],
    lock: 'BEGIN; LOCK TABLE job_execution_log IN ACCESS EXCLUSIVE MODE;',
    async putTables(server, directory) {
      execFileSync('chown', ['postgres', directory])
      await ask(this, server, `CREATE TABLESPACE small LOCATION '${directory}';`)
      await ask(this, server, 'ALTER ROLE postgres SET default_tablespace = small;')
    },
  },
  {
    name: 'MariaDB',
    isAvailable: mariaDbAvailable(),
    start: () => MariaDb.start(),
    client: ({ port }) => [
      'mariadb',
      '--no-defaults',
      '--protocol=tcp',
      '--host=127.0.0.1',
      `--port=${port}`,
      '--user=root',
      '--batch',
      '--skip-column-names',
      '--unbuffered',
      'elasticjob',
    ],
    lock: 'LOCK TABLES JOB_EXECUTION_LOG WRITE;',
    // To the server a database is a directory below its own, wherever that leads.
    async putTables(server, directory) {
      const database = join(server.directory, 'data', 'elasticjob')
      rmSync(database, { recursive: true })
      symlinkSync(directory, database)
    },
  },
]

export interface RowNumbers {
  readonly executions: number
  readonly open: number
  readonly statuses: number
  readonly runs: number
  readonly logs: number
}

const tables: Readonly<Record<keyof RowNumbers, string>> = {
  executions: 'JOB_EXECUTION_LOG',
  open: 'JOB_EXECUTION_LOG WHERE complete_time IS NULL',
  statuses: 'JOB_STATUS_TRACE_LOG',
  runs: 'elasticjob_run',
  logs: 'elasticjob_run_log',
}

/** How many rows each table has. */
export async function countRows(kind: DatabaseKind, server: Server): Promise<RowNumbers> {
  const numbers: Record<string, number> = {}
  for (const [name, table] of Object.entries(tables)) {
    numbers[name] = Number(await ask(kind, server, `SELECT count(*) FROM ${table};`))
  }
  return numbers as unknown as RowNumbers
}

/** Runs a statement, and gives what its client prints. */
async function ask(kind: DatabaseKind, server: Server, statement: string): Promise<string> {
  const [program, ...args] = kind.client(server)
  const flag = program === 'psql' ? '--command' : '--execute'
  // Both clients take options behind the database as well; MariaDB's wants --no-defaults first.
  const { stdout } = await promisify(execFile)(program, [...args, flag, statement])
  return stdout.trim()
}

/** Somebody who holds a table; the answer lets it go. */
export async function lockTable(kind: DatabaseKind, server: Server): Promise<() => Promise<void>> {
  const [program, ...args] = kind.client(server)
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  child.stdin.write(`${kind.lock} SELECT 'held';\n`)
  for await (const line of createInterface({ input: child.stdout })) if (line === 'held') break
  return async () => {
    child.stdin.end()
    await ended
  }
}
