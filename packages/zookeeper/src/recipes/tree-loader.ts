import type { MultiReadResult } from '../client.ts'
import { read } from '../transaction.ts'

/** What is asked about a node: its content, or the names of its children. */
export type Question = 'content' | 'children'

export interface Answer {
  readonly question: Question
  readonly path: string
  readonly result: MultiReadResult
}

/** How a loader reads and what becomes of the answers. */
export interface LoaderDriver {
  read(parts: ReturnType<(typeof read)[keyof typeof read]>[]): Promise<MultiReadResult[]>
  /** The answers to one request, in the order in which the server gave them. */
  answered(answers: readonly Answer[]): void
  failed(error: unknown): void
}

/** How many requests are under way at a time, and the most questions in one. */
const requestsInFlight = 8
const largestBatch = 256

/** Above this a reply makes the next batch smaller, below it larger. */
const comfortableReply = 512 * 1024

/**
 * Asks about many nodes with few requests: questions are read together, several requests under way.
 * The size of a batch follows what the replies weigh, for one reply has to fit into one frame.
 */
export class TreeLoader {
  readonly #driver: LoaderDriver
  readonly #questions: [Question, string][] = []
  #next = 0
  #inFlight = 0
  #batch: number
  #stopped = false

  constructor(driver: LoaderDriver, options: { readonly oneByOne: boolean }) {
    this.#driver = driver
    this.#batch = options.oneByOne ? 1 : 16
  }

  /** Whether every question so far has been answered. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#next === this.#questions.length
  }

  ask(question: Question, path: string): void {
    this.#questions.push([question, path])
  }

  /** Sends what there is room for; called after questions were asked. */
  pump(): void {
    while (
      !this.#stopped &&
      this.#inFlight < requestsInFlight &&
      this.#next < this.#questions.length
    ) {
      void this.#send(this.#take())
    }
  }

  stop(): void {
    this.#stopped = true
  }

  #take(): [Question, string][] {
    const taken = this.#questions.slice(this.#next, this.#next + this.#batch)
    this.#next += taken.length
    if (this.#next > 65_536) {
      this.#questions.splice(0, this.#next)
      this.#next = 0
    }
    return taken
  }

  async #send(questions: readonly [Question, string][]): Promise<void> {
    this.#inFlight++
    try {
      const results = await this.#driver.read(
        questions.map(([question, path]) =>
          question === 'content' ? read.get(path) : read.children(path),
        ),
      )
      this.#inFlight--
      if (this.#stopped) return
      this.#adapt(results)
      this.#driver.answered(
        questions.map(([question, path], index) => ({
          question,
          path,
          result: results[index] as MultiReadResult,
        })),
      )
    } catch (error) {
      this.#inFlight--
      if (this.#stopped) return
      this.#stopped = true
      this.#driver.failed(error)
    }
  }

  #adapt(results: readonly MultiReadResult[]): void {
    if (this.#batch === 1) return
    const bytes = results.reduce((sum, result) => sum + weightOf(result), 0)
    this.#batch =
      bytes > comfortableReply
        ? Math.max(2, this.#batch >>> 1)
        : Math.min(largestBatch, this.#batch * 2)
  }
}

function weightOf(result: MultiReadResult): number {
  if ('data' in result) return result.data.length + 100
  return 'children' in result ? result.children.length * 30 : 10
}
