import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { exited, hasExited } from './owned-process.ts'

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Talks with a process that reads commands as lines of JSON and writes answers and events the same
 * way. An answer has the `id` of its command; everything else is an event.
 */
export class JsonLines {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #commands = 0

  constructor(child: ChildProcess, onEvent: (event: Readonly<Record<string, unknown>>) => void) {
    const { stdin, stdout, stderr } = child
    if (stdin === null || stdout === null || stderr === null) {
      throw new Error('the process has no pipes')
    }
    this.#child = child
    let complaints = ''
    stderr.on('data', (chunk: Buffer) => {
      complaints = `${complaints}${chunk.toString()}`.slice(-4_000)
    })
    // Writing to a process that has ended fails; what that means is told by its end.
    stdin.on('error', () => undefined)
    createInterface(stdout).on('line', (line) => {
      const message = JSON.parse(line) as Answer | Readonly<Record<string, unknown>>
      if (isAnswer(message)) this.#answer(message)
      else onEvent(message)
    })
    child.once('close', () => {
      const error = new Error(`the process has ended; its last words:\n${complaints}`)
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    })
  }

  send(command: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (hasExited(this.#child)) return Promise.reject(new Error('the process has ended'))
    const id = ++this.#commands
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`)
    })
  }

  /** Closes the input and waits for the process to end by itself; ends it if it does not. */
  async end(timeoutMs: number): Promise<void> {
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs)
    await exited(this.#child)
    clearTimeout(timer)
  }

  #answer({ id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error(error))
  }
}

function isAnswer(message: Answer | Readonly<Record<string, unknown>>): message is Answer {
  return 'id' in message
}
