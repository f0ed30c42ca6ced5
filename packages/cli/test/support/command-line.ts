/** The program as a process: what it prints, and how it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Nothing here takes so long; a process that does is ended, and its test fails. */
const limit = 50_000

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Runs a command to its end. */
export function elasticjob(args: readonly string[], around: Surroundings = {}): Promise<Finished> {
  return new RunningCommand(args, around).finished
}

/** A command that goes on until it is told to end. */
export class RunningCommand {
  readonly finished: Promise<Finished>
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  readonly #waiting = new Set<() => void>()
  #stdout = ''
  #stderr = ''

  constructor(args: readonly string[], { env = {}, cwd }: Surroundings = {}) {
    this.#child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...withoutOurs(process.env), ...env },
      timeout: limit,
      killSignal: 'SIGKILL',
      ...(cwd === undefined ? {} : { cwd }),
    })
    const { stdout, stderr } = this.#child
    if (stdout === null || stderr === null) throw new Error('the program has no output')
    stdout.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()))
    stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()))
    createInterface({ input: stdout }).on('line', (line) => {
      this.#lines.push(line)
      for (const look of this.#waiting) look()
    })
    this.finished = once(this.#child, 'close').then(([code]) => {
      for (const look of this.#waiting) look()
      return { code: code as number | null, stdout: this.#stdout, stderr: this.#stderr }
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Resolves with the n-th line that fits, whether it was printed already or is still to come. */
  line(pattern: RegExp, n = 1): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const line = this.#lines.filter((each) => pattern.test(each))[n - 1]
        const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null
        if (line === undefined && !isOver) return
        this.#waiting.delete(look)
        if (line !== undefined) resolve(line)
        else reject(new Error(`it ended without ${pattern}:\n${this.#stdout}\n${this.#stderr}`))
      }
      this.#waiting.add(look)
      look()
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Resolves when the process has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.signal(signal)
    return this.finished
  }

  /** Ends it with the test, at the latest. */
  ownedByTest(): this {
    onTestFinished(async () => {
      await this.stop('SIGKILL')
    })
    return this
  }
}

/** Whoever runs the tests may have a registry of his own. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(ELASTICJOB_|NO_COLOR|FORCE_COLOR)/.test(name)),
  )
}
