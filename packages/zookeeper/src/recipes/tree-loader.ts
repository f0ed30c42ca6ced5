import type { MultiReadResult } from '../client.ts'
import { read, type ReadPart } from '../transaction.ts'

/** A read of a node: its content, or the names of its children. */
export interface Question {
  readonly about: 'content' | 'children'
  readonly path: string
}

/** How a loader reads, and how it delivers the answers. */
export interface LoaderDriver {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<MultiReadResult[]>
  /**
   * Called when the answers to these questions arrive; the returned function receives the results, in the
   * same order, once decoded.
   */
  arrived(pendingReads: readonly Question[]): (results: readonly MultiReadResult[]) => void
  failed(error: unknown): void
}

/** The maximum number of requests in flight, and of questions in one request. */
const mostInFlight = 8
const largestBatch = 64

/** A larger reply makes the next batch smaller, a smaller reply makes it larger. */
const comfortableReply = 512 * 1024

/**
 * Reads many nodes with few requests: combines questions into batches, with several requests in flight. The
 * batch size starts at one and adapts to the size of the replies: a reply has to fit into a frame, and a
 * server that assembles several replies of a hundred large nodes at once could run out of memory.
 */
export class TreeLoader {
  readonly #driver: LoaderDriver
  readonly #pendingReads: Question[] = []
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

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#next === this.#pendingReads.length
  }

  ask(about: Question['about'], path: string): void {
    this.#pendingReads.push({ about, path })
  }

  /** Sends as many requests as allowed; call it after adding questions. */
  dirtyQueue(): void {
    while (
      !this.#stopped &&
      this.#inFlight < this.#mostInFlight &&
      this.#next < this.#pendingReads.length
    ) {
      void this.#send(this.#take())
    }
  }

  stop(): void {
    this.#stopped = true
  }

  #take(): Question[] {
    const taken = this.#pendingReads.slice(this.#next, this.#next + this.#batch)
    this.#next += taken.length
    if (this.#next > 65_536) {
      this.#pendingReads.splice(0, this.#next)
      this.#next = 0
    }
    return taken
  }

  async #send(pendingReads: readonly Question[]): Promise<void> {
    this.#inFlight++
    const parts = pendingReads.map(({ about, path }) =>
      about === 'content' ? read.get(path) : read.children(path),
    )
    let take: ((results: readonly MultiReadResult[]) => void) | undefined
    let results: MultiReadResult[]
    try {
      results = await this.#driver.read(parts, () => {
        if (!this.#stopped) take = this.#driver.arrived(pendingReads)
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
