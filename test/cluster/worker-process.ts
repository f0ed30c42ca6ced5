/** One process of a fleet: it loads its code, joins when told to, and may be frozen or ended in any way. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { exited, hasExited, spawnOwned } from '../zookeeper/harness/owned-process.ts'
import { threadsStopped } from '../zookeeper/harness/process-state.ts'
import { joinLine, loadedLine, readyLine } from './worker-lines.ts'

export class WorkerProcess {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #lines: Interface

  private constructor(name: string, child: ChildProcess) {
    this.#name = name
    this.#child = child
    this.#lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    // A line to one that has just been killed has nowhere to go.
    child.stdin?.on('error', () => undefined)
  }

  /** Starts the program, which reads its options from its first argument. It does nothing yet. */
  static spawn(name: string, program: string, options: object): WorkerProcess {
    const child = spawnOwned(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', program, JSON.stringify(options)],
      ['pipe', 'pipe', 'inherit'],
    )
    return new WorkerProcess(name, child)
  }

  get hasEnded(): boolean {
    return hasExited(this.#child)
  }

  /** Resolves when the process has ended, whatever ended it. */
  ended(): Promise<void> {
    return exited(this.#child)
  }

  /** Resolves when its code is loaded. */
  loaded(): Promise<void> {
    return this.#says(loadedLine)
  }

  /** Lets it join; resolves when it takes part. */
  async join(): Promise<void> {
    const isReady = this.#says(readyLine)
    this.tell(joinLine)
    await isReady
  }

  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  /** Asks it to end; resolves when its process has ended well. */
  async stop(): Promise<void> {
    if (!this.hasEnded) this.#child.kill('SIGTERM')
    await this.ended()
    const { exitCode, signalCode } = this.#child
    if (exitCode !== 0) throw new Error(`${this.#name} ended with ${exitCode ?? signalCode}`)
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended()
  }

  /** Stops every thread of it where it is; its sockets stay open. */
  async freeze(): Promise<void> {
    const { pid } = this.#child
    if (pid === undefined || this.hasEnded) return
    this.#child.kill('SIGSTOP')
    await eventually(() => this.hasEnded || threadsStopped(pid) || undefined, {
      what: `every thread of ${this.#name} stopped`,
      intervalMs: 1,
    })
  }

  /** It goes on in the middle of what it was doing. */
  thaw(): void {
    this.#child.kill('SIGCONT')
  }

  /** Resolves when it says so; rejects when it ends before. */
  async #says(expected: string): Promise<void> {
    const isPrinted = await Promise.race([
      once(this.#lines, 'line').then(([line]) => line === expected),
      this.ended().then(() => false),
    ])
    if (!isPrinted) throw new Error(`${this.#name} ended before it was ${expected}`)
  }
}
