import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { type Clock, systemClock } from '../clock.ts'
import { type Duration, millisecondsOf } from '../config/duration.ts'
import type { ShardRunner } from './job-type.ts'
import { JobWorker } from './worker/job-worker.ts'
import { startWorker } from './worker/start-worker.ts'
import { WorkerPool } from './worker/worker-pool.ts'

/** The options of `inWorker()`. */
export interface InWorkerOptions {
  /**
   * The name of the exported function to run.
   * @default the only function that the module exports
   */
  readonly exportName?: string
  /**
   * The maximum number of idle workers.
   * @default the parallelism of the machine
   */
  readonly maxIdle?: number
  /**
   * How long a worker stays idle before it ends.
   * @default '1m'
   */
  readonly idleTime?: Duration
  /**
   * Node's flags for the workers.
   * @default those of this process
   */
  readonly execArgv?: readonly string[]
  /**
   * @default the machine's own
   */
  readonly clock?: Clock
}

const inWorkerDefaults: Readonly<
  Required<Pick<InWorkerOptions, 'maxIdle' | 'idleTime' | 'clock'>>
> = Object.freeze({
  maxIdle: availableParallelism(),
  idleTime: 60_000,
  clock: systemClock,
})

/** Runs a job whose body is in a worker thread. */
export interface WorkerRunner extends ShardRunner, AsyncDisposable {
  stop(): Promise<void>
}

/**
 * Creates a job whose function runs in a worker thread, so that heavy work does not keep the process from keeping its
 * session alive. Each running shard has its own thread, and its function receives a context like any other job. A path
 * is relative to the working directory; `new URL('./heavy.js', import.meta.url)` is relative to the calling module.
 */
export function inWorker(modulePath: string | URL, options: InWorkerOptions = {}): WorkerRunner {
  const { exportName, execArgv, maxIdle, idleTime, clock } = { ...inWorkerDefaults, ...options }
  const url = urlOf(modulePath)
  const subject =
    exportName === undefined ? fileURLToPath(url) : `${fileURLToPath(url)} (${exportName})`
  const task = { module: url.href, exportName }
  const pool = new WorkerPool({
    maxIdle,
    idleTime: millisecondsOf(idleTime),
    clock,
    start: () => new JobWorker(startWorker({ task, execArgv }), subject, clock),
  })
  return {
    scope: 'shard',
    async run(context) {
      context.signal.throwIfAborted()
      await pool.run(context)
    },
    stop: () => pool.stop(),
    [Symbol.asyncDispose]: () => pool.stop(),
  }
}

function urlOf(modulePath: string | URL): URL {
  if (modulePath instanceof URL) return modulePath
  return modulePath.startsWith('file:') ? new URL(modulePath) : pathToFileURL(resolve(modulePath))
}
