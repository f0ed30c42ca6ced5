/** What runs in the thread of a SQLite file: one statement after the other, each answered. */
import { parentPort, workerData } from 'node:worker_threads'

import Sqlite from 'libsql'

import { type Answer, farewell, type Statement, type ThreadOptions } from './messages.ts'

/** Statements are compiled once; a history has few different ones, save for long lists of rows. */
const keptStatements = 100

const { path, busyTimeout } = workerData as ThreadOptions
const database = new Sqlite(path)
database.exec(`pragma busy_timeout = ${busyTimeout}`)
// Readers and one writer do not wait for each other, and a commit waits for no disk: what a killed process
// had committed is there, what the power cut took may miss its last moments.
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = normal')
database.exec('pragma cache_size = -32768')
database.exec('pragma mmap_size = 268435456')

const prepared = new Map<string, Sqlite.Statement>()

parentPort?.on('message', (message: Statement | typeof farewell) => {
  if (message === farewell) end()
  else parentPort?.postMessage(answerOf(message))
})

function end(): void {
  database.close()
  parentPort?.close()
}

function answerOf({ id, sql, parameters }: Statement): Answer {
  try {
    const statement = prepare(sql)
    if (statement.reader) return { id, rows: statement.all(...parameters), changes: 0 }
    return { id, rows: [], changes: statement.run(...parameters).changes }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { id, message: error instanceof Error ? error.message : String(error), code }
  }
}

function prepare(sql: string): Sqlite.Statement {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  if (prepared.size >= keptStatements) prepared.clear()
  const statement = database.prepare(sql)
  prepared.set(sql, statement)
  return statement
}
