import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { exited, spawnOwned } from '../../test/zookeeper/harness/owned-process.ts'

/** How long a program may take to end once its input has. */
const timeoutMs = 10_000

/** A program that says lines of JSON, the first when it is ready, and ends when its input does. */
export class LineProcess<Greeting = unknown> {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  #greeting: Greeting | undefined
  #complaints = ''

  private constructor(command: readonly string[]) {
    const [program = '', ...args] = command
    this.#child = spawnOwned(program, args, ['pipe', 'pipe', 'pipe'])
    const { stdout, stderr } = this.#child
    if (stdout === null || stderr === null) throw new Error(`${program} has no pipes`)
    stderr.on('data', (chunk: Buffer) => {
      this.#complaints = `${this.#complaints}${chunk.toString()}`.slice(-4_000)
    })
    this.#lines = createInterface(stdout)[Symbol.asyncIterator]()
  }

  /** Resolves when the program has said its first line. */
  static async start<Greeting = unknown>(
    command: readonly string[],
  ): Promise<LineProcess<Greeting>> {
    const started = new LineProcess<Greeting>(command)
    started.#greeting = (await started.next()) as Greeting
    return started
  }

  /** Runs a program to its end and gives the one line that it says. */
  static async result<Result>(command: readonly string[]): Promise<Result> {
    const running = await LineProcess.start<Result>(command)
    await running.end()
    return running.greeting
  }

  /** The first line. */
  get greeting(): Greeting {
    return this.#greeting as Greeting
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the program did not start')
    return this.#child.pid
  }

  write(message: Readonly<Record<string, unknown>>): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  async next(): Promise<unknown> {
    const line = await this.#lines.next()
    if (line.done === true) {
      throw new Error(`the program has ended; its last words:\n${this.#complaints}`)
    }
    return JSON.parse(line.value) as unknown
  }

  /** Ends the input and waits for the program to end, though not for ever. */
  async end(): Promise<void> {
    const timeout = setTimeout(() => this.kill(), timeoutMs)
    this.#child.stdin?.end()
    await exited(this.#child)
    clearTimeout(timeout)
  }

  /** Ends the program as a crash would. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
