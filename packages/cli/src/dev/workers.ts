/** The worker processes of dev. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { beside } from './beside.ts'
import type { WorkerMessage, WorkerTask } from './messages.ts'

export interface Worker {
  /** `w1` */
  readonly name: string
  readonly pid: number
  readonly ip: string
  state: 'starting' | 'working' | 'left' | 'crashed'
}

export interface WorkersListener {
  received(worker: Worker, message: WorkerMessage): void
  /** The worker ended unexpectedly. */
  ended(worker: Worker, how: string): void
}

export class Workers {
  readonly #listener: WorkersListener
  readonly #processes = new Map<Worker, ChildProcess>()
  #isStopping = false

  constructor(listener: WorkersListener) {
    this.#listener = listener
  }

  get all(): readonly Worker[] {
    return [...this.#processes.keys()]
  }

  /** The worker of an instance. */
  ofInstance(instance: string): Worker | undefined {
    const pid = Number(/@-@(\d+)-/.exec(instance)?.[1])
    return this.all.find((worker) => worker.pid === pid)
  }

  start(number: number, task: Omit<WorkerTask, 'ip' | 'number'>): void {
    const ip = `127.0.0.${number}`
    // Detached, so that the terminal's Ctrl-C reaches only this process, which then stops the workers.
    const child = fork(
      fileURLToPath(beside(import.meta.url, './worker')),
      [JSON.stringify({ ...task, ip, number } satisfies WorkerTask)],
      { detached: true },
    )
    const worker: Worker = { name: `w${number}`, pid: child.pid ?? 0, ip, state: 'starting' }
    this.#processes.set(worker, child)
    child.on('message', (message: WorkerMessage) => {
      if (message.kind === 'joined') worker.state = 'working'
      this.#listener.received(worker, message)
    })
    child.on('exit', (code, signal) => {
      worker.state = code === 0 ? 'left' : 'crashed'
      if (!this.#isStopping) this.#listener.ended(worker, signal ?? `exit code ${code}`)
    })
  }

  /** Resolves when no worker is left. */
  async allEnded(): Promise<void> {
    const running = [...this.#processes.values()].filter(isRunning)
    await Promise.all(running.map((child) => once(child, 'exit')))
  }

  /** Waits for active runs, and hands over the shards. */
  stop(): void {
    this.#signal('SIGTERM')
  }

  /** Kills them at once. */
  kill(): void {
    this.#signal('SIGKILL')
  }

  #signal(signal: NodeJS.Signals): void {
    this.#isStopping = true
    for (const child of this.#processes.values()) if (isRunning(child)) child.kill(signal)
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
