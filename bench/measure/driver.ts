import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { exited, spawnOwned } from '../../test/zookeeper/harness/owned-process.ts'
import type { Measurement, Task } from '../drivers/contract.ts'

/** A running driver of one client: see the contract. */
export class Driver {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  #complaints = ''
  #tasks = 0

  private constructor(command: readonly string[]) {
    const [program = '', ...args] = command
    this.#child = spawnOwned(program, args, ['pipe', 'pipe', 'pipe'])
    const { stdout, stderr } = this.#child
    if (stdout === null || stderr === null) throw new Error('the driver has no pipes')
    stderr.on('data', (chunk: Buffer) => {
      this.#complaints = `${this.#complaints}${chunk.toString()}`.slice(-4_000)
    })
    this.#lines = createInterface(stdout)[Symbol.asyncIterator]()
  }

  /** Starts a driver; resolves when its client is connected. */
  static async start(command: readonly string[]): Promise<Driver> {
    const driver = new Driver(command)
    await driver.#next()
    return driver
  }

  /** What the task comes to; null when the client cannot do it. */
  async measure(task: Task): Promise<Measurement | null> {
    const id = ++this.#tasks
    this.#child.stdin?.write(`${JSON.stringify({ id, ...task })}\n`)
    const { result, error } = (await this.#next()) as {
      result?: Measurement | null
      error?: string
    }
    if (error !== undefined || result === undefined) throw new Error(error ?? 'no result came')
    return result
  }

  /** Lets the driver close its client and end. */
  async end(): Promise<void> {
    this.#child.stdin?.end()
    await exited(this.#child)
  }

  /** Ends the driver whatever it is doing. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #next(): Promise<unknown> {
    const line = await this.#lines.next()
    if (line.done === true)
      throw new Error(`the driver has ended; its last words:\n${this.#complaints}`)
    return JSON.parse(line.value) as unknown
  }
}
