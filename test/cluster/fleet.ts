/** Worker processes, by their numbers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseLog, type WorkerLog } from './log-line.ts'
import type { WorkerJob, WorkerOptions } from './worker-options.ts'
import { WorkerProcess } from './worker-process.ts'

const program = fileURLToPath(new URL('worker.ts', import.meta.url))

/** How many processes load their code at the same time. */
const loadedAtOnce = 2

export interface FleetOptions {
  readonly servers: string
  readonly namespace: string
  readonly jobs: readonly WorkerJob[]
  /** Where the workers write their logs. */
  readonly directory: string
}

export class Fleet {
  readonly #options: FleetOptions
  readonly #workers = new Map<number, WorkerProcess>()
  readonly #logs: string[] = []
  readonly #lost: number[] = []
  #started = 0

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** How many processes were started so far. */
  get started(): number {
    return this.#started
  }

  get running(): readonly number[] {
    return [...this.#workers.keys()]
  }

  /**
   * Starts processes, a few at a time: loading code takes more of a small machine than running jobs does,
   * and on other machines it would take nothing from those who run already. Then all of them join at once.
   */
  async start(workers: readonly number[]): Promise<void> {
    const waiting = [...workers]
    const loadSome = async (): Promise<void> => {
      for (let worker = waiting.shift(); worker !== undefined; worker = waiting.shift()) {
        await this.#load(worker)
      }
    }
    await Promise.all(Array.from({ length: loadedAtOnce }, loadSome))
    await Promise.all(workers.map((worker) => this.#join(worker)))
  }

  async #load(worker: number): Promise<void> {
    const { directory, ...rest } = this.#options
    this.#started += 1
    const logFile = join(directory, `worker-${worker}-${this.#started}.jsonl`)
    const options: WorkerOptions = { ...rest, worker, ip: ipOf(worker), logFile }
    const started = WorkerProcess.spawn(`worker ${worker}`, program, options)
    this.#workers.set(worker, started)
    this.#logs.push(logFile)
    await started.loaded()
  }

  async #join(worker: number): Promise<void> {
    const joining = this.#workers.get(worker) as WorkerProcess
    await joining.join()
    // Nobody asked it to end: what it would have run is missing, and this is why.
    void joining.ended().then(() => {
      if (this.#workers.get(worker) === joining) this.#lost.push(worker)
    })
  }

  /** Workers that ended by themselves. */
  get lost(): readonly number[] {
    return this.#lost
  }

  /** Asks the worker to stop; resolves when its process has ended well. */
  async stop(worker: number): Promise<void> {
    const running = this.#workers.get(worker)
    if (running === undefined) throw new Error(`worker ${worker} does not run`)
    this.#workers.delete(worker)
    await running.stop()
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.running.map((worker) => this.stop(worker)))
  }

  /** Ends whoever is left, at once. */
  async kill(): Promise<void> {
    const left = [...this.#workers.values()]
    this.#workers.clear()
    await Promise.all(left.map((worker) => worker.kill()))
  }

  /** All that all workers have written down. */
  async logs(): Promise<WorkerLog> {
    const logs = await Promise.all(
      this.#logs.map(async (file) => parseLog(await readFile(file, 'utf8'))),
    )
    return {
      runs: logs.flatMap(({ runs }) => runs),
      events: logs.flatMap(({ events }) => events),
    }
  }
}

/** The address under which a worker is known. */
export function ipOf(worker: number): string {
  return `10.0.0.${worker}`
}
