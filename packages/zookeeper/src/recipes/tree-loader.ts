import type { MultiReadResult } from '../client.ts'
import { read, type ReadPart } from '../transaction.ts'

/** What is asked about a node: its content, or the names of its children. */
export interface Question {
  readonly about: 'content' | 'children'
  readonly path: string
}

/** How a loader reads and what becomes of the answers. */
export interface LoaderDriver {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<MultiReadResult[]>
  /** The answers to these have arrived; what is returned takes them, in the same order, once decoded. */
  arrived(questions: readonly Question[]): (results: readonly MultiReadResult[]) => void
  failed(error: unknown): void
}

/** The most requests under way at a time, and the most questions in one. */
const mostInFlight = 8
const largestBatch = 64

/** Above this a reply makes the next batch smaller, below it larger. */
const comfortableReply = 512 * 1024

/**
 * Asks about many nodes with few requests: questions are read together, several requests under way.
 * How many follows what the replies weigh, beginning with one: a reply has to fit into a frame, and a
 * server that had to put together a hundred large nodes several times at once might not survive it.
 */
export class TreeLoader {
  readonly #driver: LoaderDriver
  readonly #questions: Question[] = []
  #next = 0
  #inFlight = 0
  #batch = 1
  readonly #largestBatch: number
  #mostInFlight = 1
  #stopped = false

  constructor(driver: LoaderDriver, options: { readonly oneByOne: boolean }) {
    this.#driver = driver
    this.#largestBatch = options.oneByOne ? 1 : largestBatch
  }

  /** Whether every question so far has been answered. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#next === this.#questions.length
  }

  ask(about: Question['about'], path: string): void {
    this.#questions.push({ about, path })
  }

  /** Sends what there is room for; called after questions were asked. */
  pump(): void {
    while (
      !this.#stopped &&
      this.#inFlight < this.#mostInFlight &&
      this.#next < this.#questions.length
    ) {
      void this.#send(this.#take())
    }
  }

  stop(): void {
    this.#stopped = true
  }

  #take(): Question[] {
    const taken = this.#questions.slice(this.#next, this.#next + this.#batch)
    this.#next += taken.length
    if (this.#next > 65_536) {
      this.#questions.splice(0, this.#next)
      this.#next = 0
    }
    return taken
  }

  async #send(questions: readonly Question[]): Promise<void> {
    this.#inFlight++
    const parts = questions.map(({ about, path }) =>
      about === 'content' ? read.get(path) : read.children(path),
    )
    let take: ((results: readonly MultiReadResult[]) => void) | undefined
    let results: MultiReadResult[]
    try {
      results = await this.#driver.read(parts, () => {
        if (!this.#stopped) take = this.#driver.arrived(questions)
      })
    } catch (error) {
      this.#inFlight--
      if (this.#stopped) return
      this.#stopped = true
      this.#driver.failed(error)
      return
    }
    this.#inFlight--
    if (this.#stopped) return
    this.#adapt(results)
    take?.(results)
  }

  #adapt(results: readonly MultiReadResult[]): void {
    const bytes = results.reduce((sum, result) => sum + weightOf(result), 0)
    if (bytes > comfortableReply) {
      this.#batch = Math.max(1, this.#batch >>> 1)
    } else {
      this.#batch = Math.min(this.#largestBatch, this.#batch * 2)
      this.#mostInFlight = Math.min(mostInFlight, this.#mostInFlight * 2)
    }
  }
}

function weightOf(result: MultiReadResult): number {
  if ('data' in result) return result.data.length + 100
  return 'children' in result ? result.children.length * 30 : 10
}
