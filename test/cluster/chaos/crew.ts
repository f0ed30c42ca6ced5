/** The workers of a chaos run, each a process with its own ways to the servers; whoever dies is replaced. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WorkerProcess } from '../worker-process.ts'
import { type LogLine, parseLog } from './log-line.ts'
import { machineTime } from './machine-time.ts'
import type { Span } from './wire-log.ts'
import { type ChaosWorkerOptions, triggerLine } from './worker-options.ts'

const program = fileURLToPath(new URL('worker.ts', import.meta.url))

/** One process, from its start to its end. */
export interface Life {
  readonly worker: number
  /** When it was stopped, by SIGSTOP. */
  readonly frozen: Span[]
  /** When it was known to be over. */
  ended: number | undefined
  readonly logFile: string
}

/** A life and what it wrote down. */
export interface LoggedLife extends Life {
  readonly lines: readonly LogLine[]
}

interface Post {
  readonly life: Life
  readonly process: WorkerProcess
  isReady: boolean
  isMeantToEnd: boolean
}

const restartAfter = 500
/** How long a worker may take to join before something hangs. */
const timeout = 90_000

export class Crew {
  readonly #optionsOf: (worker: number) => Omit<ChaosWorkerOptions, 'logFile'>
  readonly #directory: string
  readonly #posts = new Map<number, Post>()
  /** Starts under way. */
  readonly #starts = new Map<number, Promise<void>>()
  readonly #lives: Life[] = []
  readonly #lost: string[] = []
  #failedStarts = 0

  constructor(
    directory: string,
    optionsOf: (worker: number) => Omit<ChaosWorkerOptions, 'logFile'>,
  ) {
    this.#directory = directory
    this.#optionsOf = optionsOf
  }

  get processCount(): number {
    return this.#lives.length
  }

  /** What ended, or did not join, without being made to. */
  get lost(): readonly string[] {
    return this.#lost
  }

  /** How many processes gave up before they took part: the registry was out of reach. */
  get failedStarts(): number {
    return this.#failedStarts
  }

  get workers(): readonly number[] {
    return [...this.#posts.keys()]
  }

  /**
   * Resolves when a process of the worker takes part in all jobs, or a fault has ended it. A process that gives up
   * because it cannot reach the registry is started again, as a supervisor does it. A worker has one process at a time:
   * faults overlap, and a second process would outlive the experiment unobserved.
   */
  async start(worker: number): Promise<void> {
    for (;;) {
      const underWay = this.#starts.get(worker)
      const post = this.#posts.get(worker)
      if (underWay !== undefined) await underWay
      else if (post === undefined) break
      else if (post.isMeantToEnd) await post.process.ended()
      else return
    }
    const start = this.#startUntilJoined(worker).finally(() => this.#starts.delete(worker))
    this.#starts.set(worker, start)
    await start
  }

  async #startUntilJoined(worker: number): Promise<void> {
    while (!(await this.#startOnce(worker))) {
      this.#failedStarts += 1
      await sleep(restartAfter)
    }
  }

  async #startOnce(worker: number): Promise<boolean> {
    const number = this.#lives.length + 1
    const logFile = join(this.#directory, `worker-${worker}-${number}.jsonl`)
    const life: Life = { worker, frozen: [], ended: undefined, logFile }
    const name = `worker ${worker} (process ${number})`
    const started = WorkerProcess.spawn(name, program, { ...this.#optionsOf(worker), logFile })
    const post: Post = { life, process: started, isReady: false, isMeantToEnd: false }
    this.#lives.push(life)
    this.#posts.set(worker, post)
    void started.ended().then(() => {
      life.ended ??= machineTime()
      if (this.#posts.get(worker) === post) this.#posts.delete(worker)
      if (post.isReady && !post.isMeantToEnd) this.#lost.push(`${name} ended by itself`)
    })
    const giveUp = setTimeout(() => {
      this.#lost.push(`${name} did not join within ${timeout} ms`)
      void this.kill(worker)
    }, timeout)
    try {
      await started.loaded()
      await started.join()
      post.isReady = true
      return true
    } catch {
      // It has ended: somebody wanted that, or it could not begin.
      return post.isMeantToEnd
    } finally {
      clearTimeout(giveUp)
    }
  }

  /** kill -9. */
  async kill(worker: number): Promise<void> {
    const post = this.#posts.get(worker)
    if (post === undefined) return
    post.isMeantToEnd = true
    await post.process.kill()
    post.life.ended = machineTime()
  }

  /** SIGTERM; whoever takes part ends well. */
  async drain(worker: number): Promise<void> {
    const post = this.#posts.get(worker)
    if (post === undefined) return
    post.isMeantToEnd = true
    const { isReady } = post
    try {
      await post.process.stop()
    } catch (error) {
      // Before it takes part nobody listens to the signal.
      if (isReady) this.#lost.push(String(error))
    }
  }

  /** SIGSTOP; the answer takes it back. */
  async freeze(worker: number): Promise<() => void> {
    const post = this.#posts.get(worker)
    if (post === undefined) return () => {}
    await post.process.freeze()
    const since = machineTime()
    return () => {
      post.life.frozen.push([since, machineTime()])
      post.process.thaw()
    }
  }

  /** Lets a worker ask for a manual run. */
  requestManualRun(worker: number): void {
    this.#posts.get(worker)?.process.tell(triggerLine)
  }

  /** Ends whoever is left, at once. */
  async killAll(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.kill(worker)))
  }

  /** Everybody who ever was, and what they wrote down. */
  lives(): Promise<LoggedLife[]> {
    return Promise.all(
      this.#lives.map(async (life) => ({ ...life, lines: await linesOf(life.logFile) })),
    )
  }
}

/** One that was killed before it could open its log has none. */
async function linesOf(file: string): Promise<LogLine[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  })
  return parseLog(text)
}
