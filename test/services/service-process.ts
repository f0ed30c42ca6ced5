import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { exited, hasExited, removeOwnedDirectory } from '../zookeeper/harness/owned-process.ts'
import { threadsStopped } from '../zookeeper/harness/process-state.ts'
import { childrenOf, isZombie } from './process-table.ts'

/** What differs between one kind of server and another. */
export interface ServiceKind {
  /** In the words of an error. */
  readonly name: string
  /** Starts the server's process, whose words go to the log. */
  readonly spawn: (log: number) => ChildProcess
  /** Whether it answers. */
  readonly answers: () => Promise<boolean>
  /** The signal that ends it as a crash does: at once, and without a last write. */
  readonly crash: NodeJS.Signals
}

/** How long a server may take to answer: a second or two, ten times that on a machine under load. */
const readyTimeoutMs = 30_000

/**
 * A real server with its data and its log in a directory of its own. It may die and come back many
 * times on the same port and the same data; `stop()` is final.
 */
export class ServiceProcess {
  readonly port: number
  readonly directory: string
  readonly #kind: ServiceKind
  #child: ChildProcess | undefined

  constructor(port: number, directory: string, kind: ServiceKind) {
    this.port = port
    this.directory = directory
    this.#kind = kind
  }

  get pid(): number {
    return this.#runningChild().pid
  }

  get running(): boolean {
    return this.#child !== undefined && !hasExited(this.#child)
  }

  /** Resolves when the server answers; rejects with its log when it does not. */
  async start(): Promise<void> {
    if (!this.running) this.#spawn()
    const { name, answers } = this.#kind
    try {
      await eventually(
        async () => {
          if (!this.running) throw new Error('the process has ended')
          return (await answers()) || undefined
        },
        { what: `a serving ${name}`, timeoutMs: readyTimeoutMs },
      )
    } catch (cause) {
      throw new Error(
        `${name} on port ${this.port} does not serve; its log ends:\n${this.logTail()}`,
        { cause },
      )
    }
  }

  /** Ends the server as a crash does, and keeps its data. */
  async kill(): Promise<void> {
    if (this.#child === undefined) return
    const helpers = this.running ? childrenOf(this.pid) : []
    // A frozen process keeps a signal other than SIGKILL for the day it is thawed.
    for (const pid of helpers) signalIfThere(pid, 'SIGCONT')
    this.#child.kill(this.#kind.crash)
    this.#child.kill('SIGCONT')
    await exited(this.#child)
  }

  /** Comes back on the same port and its data; ends the process before if it runs. */
  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Freezes the server: its sockets stay open, and nobody is answered. */
  async pause(): Promise<void> {
    const { pid } = this.#runningChild()
    // First the one that could start others.
    await freeze(pid)
    for (const helper of childrenOf(pid)) await freeze(helper)
  }

  /** Thaws a paused server; it goes on in the middle of what it was doing. */
  resume(): void {
    const { pid } = this.#runningChild()
    for (const each of [...childrenOf(pid), pid]) signalIfThere(each, 'SIGCONT')
  }

  /** Ends the server for good and removes its directory. May be called twice. */
  async stop(): Promise<void> {
    await this.kill()
    removeOwnedDirectory(this.directory)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  logTail(lines = 30): string {
    if (!existsSync(this.#logFile)) return '(no log)'
    return readFileSync(this.#logFile, 'utf8').split('\n').slice(-lines).join('\n')
  }

  get #logFile(): string {
    return join(this.directory, 'server.log')
  }

  #spawn(): void {
    const log = openSync(this.#logFile, 'a')
    this.#child = this.#kind.spawn(log)
    closeSync(log)
  }

  #runningChild(): ChildProcess & { readonly pid: number } {
    const child = this.#child
    if (child?.pid === undefined || hasExited(child)) {
      throw new Error(`${this.#kind.name} on port ${this.port} is not running`)
    }
    return child as ChildProcess & { readonly pid: number }
  }
}

/** Starts a service, and leaves nothing behind when that fails. */
export async function startOrStop(service: ServiceProcess): Promise<void> {
  try {
    await service.start()
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function freeze(pid: number): Promise<void> {
  if (!signalIfThere(pid, 'SIGSTOP')) return
  // A helper that has ended stays listed for as long as its server is frozen.
  await eventually(() => isZombie(pid) || threadsStopped(pid) || undefined, {
    what: 'every thread of a paused server stopped',
    intervalMs: 1,
  })
}

/** A helper of a server may end on its own at any time. */
function signalIfThere(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
