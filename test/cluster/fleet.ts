/** Worker processes, by their numbers. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { exited, hasExited, spawnOwned } from '../zookeeper/harness/owned-process.ts'
import { parseLog, type WorkerLog } from './log-line.ts'
import {
  joinLine,
  loadedLine,
  readyLine,
  type WorkerJob,
  type WorkerOptions,
} from './worker-options.ts'

const program = fileURLToPath(new URL('worker.ts', import.meta.url))

/** How many processes load their code at the same time. */
const loadedAtOnce = 2

interface Worker {
  readonly child: ChildProcess
  readonly lines: Interface
}

export interface FleetOptions {
  readonly servers: string
  readonly namespace: string
  readonly jobs: readonly WorkerJob[]
  /** Where the workers write their logs. */
  readonly directory: string
}

export class Fleet {
  readonly #options: FleetOptions
  readonly #workers = new Map<number, Worker>()
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
    const child = spawnOwned(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', program, JSON.stringify(options)],
      ['pipe', 'pipe', 'inherit'],
    )
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    this.#workers.set(worker, { child, lines })
    this.#logs.push(logFile)
    await said(worker, child, lines, loadedLine)
  }

  async #join(worker: number): Promise<void> {
    const { child, lines } = this.#workers.get(worker) as Worker
    const isReady = said(worker, child, lines, readyLine)
    child.stdin?.write(`${joinLine}\n`)
    await isReady
    // Nobody asked it to end: what it would have run is missing, and this is why.
    void exited(child).then(() => {
      if (this.#workers.get(worker)?.child === child) this.#lost.push(worker)
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
    const { child } = running
    this.#workers.delete(worker)
    if (!hasExited(child)) child.kill('SIGTERM')
    await exited(child)
    if (child.exitCode !== 0) {
      throw new Error(`worker ${worker} ended with ${child.exitCode ?? child.signalCode}`)
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.running.map((worker) => this.stop(worker)))
  }

  /** Ends whoever is left, at once. */
  async kill(): Promise<void> {
    const children = [...this.#workers.values()].map(({ child }) => child)
    this.#workers.clear()
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map(exited))
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

/** Resolves when the worker says so; rejects when it ends before. */
async function said(
  worker: number,
  child: ChildProcess,
  lines: Interface,
  expected: string,
): Promise<void> {
  const isSaid = await Promise.race([
    once(lines, 'line').then(([line]) => line === expected),
    exited(child).then(() => false),
  ])
  if (!isSaid) throw new Error(`worker ${worker} ended before it was ${expected}`)
}

/** The address under which a worker is known. */
export function ipOf(worker: number): string {
  return `10.0.0.${worker}`
}
