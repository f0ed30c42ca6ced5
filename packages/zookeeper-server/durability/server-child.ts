import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What the process is told, as an argument. */
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

/** A server in a process of its own, to be killed. */
export class ServerChild {
  /** How many snapshots it has taken. */
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
    // One that is killed before it is ready is not waited for.
    this.#ready.catch(() => undefined)
  }

  /** Resolves with its port once it listens. */
  get ready(): Promise<number> {
    return this.#ready
  }

  /** Whether it found the end of its log unfinished. */
  get hasCutLog(): boolean {
    return this.#complaints.includes('ZKS_LOG_CUT')
  }

  /** Ends it without a warning. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exit
  }

  /** Asks it to end. */
  async stop(): Promise<void> {
    this.#process.kill('SIGTERM')
    await this.#exit
  }
}
