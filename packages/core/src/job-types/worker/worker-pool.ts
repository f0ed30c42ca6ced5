import type { Clock, Timer } from '../../clock.ts'
import type { ShardingContext } from '../context.ts'
import type { JobWorker } from './job-worker.ts'

export interface PoolOptions {
  readonly maxIdle: number
  readonly idleTime: number
  readonly clock: Clock
  start(): JobWorker
}

/** Provides a worker for each run, and keeps a few idle workers for the next runs. */
export class WorkerPool {
  readonly #options: PoolOptions
  readonly #idle = new Map<JobWorker, Timer>()
  #isStopped = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  async run(context: ShardingContext): Promise<void> {
    const worker = this.#take() ?? this.#start()
    try {
      await worker.run(context)
    } finally {
      await this.#giveBack(worker)
    }
  }

  /** Ends the idle workers. From then on none is kept: the worker of a current or later run ends with the run. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#idle.keys()].map((worker) => this.#discard(worker)))
  }

  #start(): JobWorker {
    const worker = this.#options.start()
    // A worker may end while it is idle, such as by a timer of the job that throws.
    worker.onEnd(() => this.#forget(worker))
    return worker
  }

  /** Takes the worker that was used last, so that the others reach their idle time. */
  #take(): JobWorker | undefined {
    const worker = [...this.#idle.keys()].at(-1)
    if (worker !== undefined) this.#forget(worker)
    return worker
  }

  async #giveBack(worker: JobWorker): Promise<void> {
    if (!worker.isUsable) return
    if (this.#isStopped || this.#idle.size >= this.#options.maxIdle) {
      await worker.end()
      return
    }
    const { clock, idleTime } = this.#options
    this.#idle.set(
      worker,
      clock.setTimer(() => void this.#discard(worker), idleTime),
    )
  }

  async #discard(worker: JobWorker): Promise<void> {
    this.#forget(worker)
    await worker.end()
  }

  #forget(worker: JobWorker): void {
    this.#idle.get(worker)?.cancel()
    this.#idle.delete(worker)
  }
}
