/** The code in the thread of an SQLite file: runs one statement after the other. */
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import type Sqlite from 'libsql'

import { Gate } from './gate.ts'
import { type Answer, closeMessage, type Statement, type ThreadData } from './messages.ts'

/** Statements are compiled once; a history has few different ones, except for long lists of rows. */
const keptStatements = 100

const { path, busyTimeout, isReadOnly, gateMemory } = workerData as ThreadData
const gate = new Gate(gateMemory)
const database = gate.pass(open)
const prepared = new Map<string, Sqlite.Statement>()
if (database !== undefined) serve(database)

/** Loaded lazily, because this is native code as well. */
function open(): Sqlite.Database {
  const Driver = createRequire(import.meta.url)('libsql') as typeof Sqlite
  const opened = new Driver(path)
  opened.exec(`pragma busy_timeout = ${busyTimeout}`)
  if (isReadOnly) {
    // The driver cannot open a file read-only.
    opened.exec('pragma query_only = on')
    return opened
  }
  // Readers and one writer do not block each other, and a commit does not wait for the disk: commits survive
  // a killed process, but a power failure may lose the last moments.
  opened.exec('pragma journal_mode = wal')
  opened.exec('pragma synchronous = normal')
  opened.exec('pragma cache_size = -32768')
  opened.exec('pragma mmap_size = 268435456')
  return opened
}

function serve(file: Sqlite.Database): void {
  parentPort?.on('message', (message: Statement | typeof closeMessage) => {
    if (message === closeMessage) {
      gate.pass(() => file.close())
      parentPort?.close()
      return
    }
    const answer = gate.pass(() => answerOf(file, message))
    if (answer !== undefined) parentPort?.postMessage(answer)
  })
}

function answerOf(file: Sqlite.Database, { id, sql, parameters }: Statement): Answer {
  try {
    const statement = prepare(file, sql)
    if (statement.reader) return { id, rows: statement.all(...parameters), changes: 0 }
    return { id, rows: [], changes: statement.run(...parameters).changes }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { id, message: error instanceof Error ? error.message : String(error), code }
  }
}

function prepare(file: Sqlite.Database, sql: string): Sqlite.Statement {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  if (prepared.size >= keptStatements) prepared.clear()
  const statement = file.prepare(sql)
  prepared.set(sql, statement)
  return statement
}
