import { Worker } from 'node:worker_threads'

import type { QueryResult } from 'kysely'

import { Gate } from './gate.ts'
import {
  type Answer,
  farewell,
  type Statement,
  type ThreadData,
  type ThreadOptions,
} from './messages.ts'

interface Waiting {
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (error: Error) => void
}

/** As a driver throws it. */
class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/**
 * The thread that has a file open. SQLite waits for disks and for other processes' locks where it is
 * called: on the main thread every job of the process would wait with it. It starts with the first
 * statement, and again with the next one after it was ended.
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
   * Nobody waits any more for what the thread is at; when it is done with that, it ends. A transaction that it
   * had begun is rolled back. It is never torn down in the middle: native code that is interrupted may panic,
   * and takes the whole process along.
   */
  abandon(): Worker | undefined {
    const worker = this.#worker
    this.#worker = undefined
    this.#rejectAll(new SqliteError('The thread of the file was ended', 'SQLITE_INTERRUPT'))
    worker?.unref()
    worker?.postMessage(farewell)
    return worker
  }

  /** The same, and waits until the file is closed. */
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
    // An idle history keeps no process alive.
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

/** Those of all threads, also of such that nobody waits for any more. */
const gates = new Set<Gate>()

/** The process ends: no thread may be in the middle of something then. What is inside would be waited for anyway. */
function shutAll(): void {
  for (const gate of gates) gate.shut()
}

/** Beside this module, whether that is the source or what was compiled from it. */
const isSource = import.meta.url.endsWith('.ts')
const entry = new URL(isSource ? './thread.ts' : './thread.js', import.meta.url)

/** Source needs tsx, which serves the thread that loads it alone. */
function startThread(data: ThreadData): Worker {
  const settings = { workerData: data, execArgv: [], name: 'elasticjob-history' }
  if (!isSource) return new Worker(entry, settings)
  const program = `
    import { register } from 'node:module'
    register('tsx', ${JSON.stringify(import.meta.url)}, { data: true })
    await import(${JSON.stringify(entry.href)})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), settings)
}
