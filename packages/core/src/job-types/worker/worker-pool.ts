import type { Clock, Timer } from '../../clock.ts'
import type { ShardingContext } from '../context.ts'
import type { JobWorker } from './job-worker.ts'

export interface PoolOptions {
  readonly maxIdle: number
  readonly idleTime: number
  readonly clock: Clock
  start(): JobWorker
}

/** A worker for each run, and a few that wait for the next one. */
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

  /**
   * Ends the workers that wait. From then on none is kept: a run that still goes on, or begins later,
   * ends its worker with itself.
   */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#idle.keys()].map((worker) => this.#discard(worker)))
  }

  #start(): JobWorker {
    const worker = this.#options.start()
    // It may come to its end while it waits: by a timer of the job's that throws.
    worker.onEnd(() => this.#forget(worker))
    return worker
  }

  /** The one used last: the others then come to the end of their time. */
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
