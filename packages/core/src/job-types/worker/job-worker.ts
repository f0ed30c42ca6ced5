import type { Worker } from 'node:worker_threads'

import type { Clock, Timer } from '../../clock.ts'
import { ElasticJobError } from '../../errors.ts'
import type { ShardingContext } from '../context.ts'
import { errorFromData, errorToData } from './error-data.ts'
import type { ContextData, FromWorker, ToWorker } from './messages.ts'

/** How many milliseconds a job has to end after its abort before its thread is terminated. */
const grace = 5_000

interface Run {
  readonly number: number
  readonly context: ShardingContext
  isOver: boolean
  settle(error?: Error): void
}

/** One thread that runs a job, one run at a time. */
export class JobWorker {
  readonly #worker: Worker
  readonly #clock: Clock
  readonly #subject: string
  readonly #ended: Promise<void>
  #isUsable = true
  #run: Run | undefined
  #crash: unknown

  /** `subject`: the name of the job in messages. */
  constructor(worker: Worker, subject: string, clock: Clock) {
    this.#worker = worker
    this.#subject = subject
    this.#clock = clock
    worker.on('message', (message: FromWorker) => this.#hear(message))
    worker.on('error', (error: unknown) => {
      this.#isUsable = false
      this.#crash = error
    })
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.#isUsable = false
        this.#fail(code)
        resolve()
      })
    })
  }

  /** Whether the thread may run again. */
  get isUsable(): boolean {
    return this.#isUsable
  }

  /** Settles when the job or its thread has ended. */
  async run(context: ShardingContext): Promise<void> {
    const { signal } = context
    // An idle thread does not keep the process alive.
    this.#worker.ref()
    let limit: Timer | undefined
    const abort = (): void => {
      // The next run must not see leftovers of an aborted one.
      this.#isUsable = false
      this.#tell({ kind: 'abort', run: run.number, reason: errorToData(signal.reason) })
      limit = this.#clock.setTimer(() => void this.#worker.terminate(), grace)
    }
    const run = this.#begin(context)
    signal.addEventListener('abort', abort)
    this.#tell({ kind: 'run', run: run.number, context: dataOf(context) })
    try {
      await run.outcome
    } finally {
      signal.removeEventListener('abort', abort)
      limit?.cancel()
      if (this.#isUsable) this.#worker.unref()
      else await this.end()
    }
  }

  /** Terminates the thread; resolves when it has exited. */
  async end(): Promise<void> {
    this.#isUsable = false
    await this.#worker.terminate()
    await this.#ended
  }

  onEnd(listener: () => void): void {
    void this.#ended.then(listener)
  }

  #begin(context: ShardingContext): Run & { readonly outcome: Promise<void> } {
    const number = (this.#run?.number ?? 0) + 1
    let settle: Run['settle'] = () => {}
    const outcome = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error))
    })
    const run = { number, context, isOver: false, settle, outcome }
    this.#run = run
    return run
  }

  #hear(message: FromWorker): void {
    const run = this.#run?.number === message.run ? this.#run : undefined
    switch (message.kind) {
      case 'log':
        run?.context.logger[message.level](message.message)
        return
      case 'save-offset':
        void this.#saveOffset(run, message.call, message.offset)
        return
      case 'ended':
        if (run === undefined) return
        run.isOver = true
        run.settle(message.error === undefined ? undefined : errorFromData(message.error))
    }
  }

  async #saveOffset(run: Run | undefined, call: number, offset: string): Promise<void> {
    try {
      if (run === undefined || run.isOver) throw new Error('the run is over')
      await run.context.saveOffset(offset)
      this.#tell({ kind: 'offset-saved', call, error: undefined })
    } catch (error) {
      this.#tell({ kind: 'offset-saved', call, error: errorToData(error) })
    }
  }

  #fail(exitCode: number): void {
    const run = this.#run
    if (run === undefined || run.isOver) return
    run.isOver = true
    const [reason, cause] = this.#whyEnded(run.context.signal, exitCode)
    const message = `the worker thread of ${this.#subject} ${reason}`
    run.settle(new ElasticJobError('JOB_WORKER_FAILED', message, cause))
  }

  #whyEnded(signal: AbortSignal, exitCode: number): [reason: string, cause: unknown] {
    if (this.#crash !== undefined) {
      return [`failed: ${errorToData(this.#crash).message}`, this.#crash]
    }
    if (signal.aborted) {
      return [`did not end within ${grace} ms after its abort, and was ended`, signal.reason]
    }
    return [`ended with exit code ${exitCode} in the middle of a run`, undefined]
  }

  #tell(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}

/** Field by field: a context may contain values that cannot be sent. */
function dataOf(context: ShardingContext): ContextData {
  return {
    jobName: context.jobName,
    taskId: context.taskId,
    runId: context.runId,
    shardingTotalCount: context.shardingTotalCount,
    jobParameter: context.jobParameter,
    parameter: context.parameter,
    monitorExecution: context.monitorExecution,
    shardingItem: context.shardingItem,
    shardingParameter: context.shardingParameter,
    source: context.source,
    fireTime: context.fireTime,
    fetchDataCount: context.fetchDataCount,
    attempt: context.attempt,
    offset: context.offset,
    fencingToken: context.fencingToken,
  }
}
