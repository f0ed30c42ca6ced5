import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The argument of the process. */
export interface ChildOptions {
  readonly port: number
  readonly dataDir: string
  readonly fsync: boolean
  readonly tickTime: number
  readonly maxSessionTimeout: number
  readonly snapshotAfterTransactions: number
  readonly keepSnapshots: number
}

export const readyLine = 'listening on '
export const snapshotLine = 'snapshot taken'

const script = fileURLToPath(new URL('server-process.ts', import.meta.url))

/** A server in its own process, to be killed. */
export class ServerChild {
  /** The number of snapshots it has taken. */
  snapshots = 0
  readonly #process: ChildProcess
  readonly #exit: Promise<unknown>
  readonly #ready: Promise<number>
  #complaints = ''

  constructor(options: ChildOptions) {
    const args = ['--conditions=source', '--import', 'tsx', script, JSON.stringify(options)]
    this.#process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#exit = once(this.#process, 'close')
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.#complaints += chunk.toString()))
    this.#ready = new Promise((resolve, reject) => {
      const lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream })
      lines.on('line', (line) => {
        if (line === snapshotLine) this.snapshots++
        if (line.startsWith(readyLine)) resolve(Number(line.slice(readyLine.length)))
      })
      void this.#exit.then(() => reject(new Error(`the server ended:\n${this.#complaints}`)))
    })
    // Not awaited if the process is killed before it is ready.
    this.#ready.catch(() => undefined)
  }

  /** Resolves with its port once it listens. */
  get ready(): Promise<number> {
    return this.#ready
  }

  /** Whether it found an incomplete record at the end of its log. */
  get hasCutLog(): boolean {
    return this.#complaints.includes('ZKS_LOG_CUT')
  }

  /** Kills it without a warning. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exit
  }

  /** Asks it to shut down. */
  async stop(): Promise<void> {
    this.#process.kill('SIGTERM')
    await this.#exit
  }
}
