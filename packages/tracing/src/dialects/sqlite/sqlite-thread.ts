import { Worker } from 'node:worker_threads'

import type { QueryResult } from 'kysely'

import { Gate } from './gate.ts'
import {
  type Answer,
  closeMessage,
  type Statement,
  type ThreadData,
  type ThreadOptions,
} from './messages.ts'

interface Waiting {
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (error: Error) => void
}

class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/**
 * The thread that has a file open. SQLite blocks on disks and on locks of other processes: on the main thread
 * it would block every job of the process. It starts with the first statement, and again with the next one
 * after it was ended.
 */
export class SqliteThread {
  readonly #options: ThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    const worker = (this.#worker ??= this.#start())
    const id = (this.#lastId += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, sql, parameters } satisfies Statement)
    })
  }

  /**
   * Abandons the current work of the thread; the thread ends when that is done, and rolls back an open
   * transaction. It is never terminated in the middle: interrupted native code may panic and abort the
   * process.
   */
  abandon(): Worker | undefined {
    const worker = this.#worker
    this.#worker = undefined
    this.#rejectAll(new SqliteError('The SQLite thread was ended', 'SQLITE_INTERRUPT'))
    worker?.unref()
    worker?.postMessage(closeMessage)
    return worker
  }

  /** Ends the thread, and waits until the file is closed. */
  async end(): Promise<void> {
    const worker = this.abandon()
    if (worker === undefined) return
    worker.ref()
    await new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  }

  #start(): Worker {
    const gate = new Gate()
    const worker = startThread({ ...this.#options, gateMemory: gate.memory })
    gates.add(gate)
    if (gates.size === 1) process.on('exit', shutAll)
    worker.once('exit', () => {
      gates.delete(gate)
      if (gates.size === 0) process.off('exit', shutAll)
    })
    // An idle history does not keep the process alive.
    worker.unref()
    worker.on('message', (answer: Answer) => this.#hear(worker, answer))
    worker.once('error', (error: Error) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      const code = 'code' in error ? String(error.code) : ''
      this.#rejectAll(new SqliteError(error.message, code))
    })
    return worker
  }

  #hear(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    if (waiting === undefined) return
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) worker.unref()
    if ('message' in answer) waiting.reject(new SqliteError(answer.message, answer.code))
    else waiting.resolve({ rows: [...answer.rows], numAffectedRows: BigInt(answer.changes) })
  }

  #rejectAll(error: Error): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}

/** The gates of all threads, including abandoned ones. */
const gates = new Set<Gate>()

/**
 * Runs at process exit: no thread may be inside native code then. The process would wait for that code
 * anyway.
 */
function shutAll(): void {
  for (const gate of gates) gate.shut()
}

/** Next to this module, source or compiled. */
const isSource = import.meta.url.endsWith('.ts')
const entry = new URL(isSource ? './thread.ts' : './thread.js', import.meta.url)

/** Source needs tsx, which applies only to the thread that loads it. */
function startThread(data: ThreadData): Worker {
  const settings = { workerData: data, execArgv: [], name: 'elasticjob-history' }
  if (!isSource) return new Worker(entry, settings)
  const program = `
    import { register } from 'node:module'
    register('tsx', ${JSON.stringify(import.meta.url)}, { data: true })
    await import(${JSON.stringify(entry.href)})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), settings)
}
