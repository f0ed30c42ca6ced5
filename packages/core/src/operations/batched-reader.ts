/**
 * Batches reads: all reads that are requested in the same instant go out in few requests. A list of a thousand jobs
 * takes fewer than two hundred requests, instead of one for each node.
 */
import type { Clock } from '../clock.ts'
import type { ReadParts } from '../registry/read-nodes.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { read, type ReadPart, type ReadResult, toText } from '../registry/transaction.ts'
import type { NodeReader, NodeText } from './node-reader.ts'

/** A node has at most a megabyte, and the client accepts a response of 64 megabytes. */
const partsPerRequest = 60
/** Further requests wait: results stay in memory until the caller takes them. */
const requestsInFlight = 8

interface Question {
  readonly part: ReadPart
  readonly answer: (result: ReadResult) => void
  readonly fail: (error: unknown) => void
}

export class BatchedReader implements NodeReader {
  readonly #readParts: ReadParts
  readonly #clock: Clock
  readonly #waiting: Question[] = []
  #scheduled = false
  #inFlight = 0

  constructor(readParts: ReadParts, clock: Clock) {
    this.#readParts = readParts
    this.#clock = clock
  }

  /** Undefined if the node does not exist. */
  async get(path: string): Promise<NodeText | undefined> {
    const result = await this.#ask(read.get(path))
    return 'data' in result ? { text: toText(result.data), stat: result.stat } : undefined
  }

  /** Undefined if the node does not exist. */
  async children(path: string): Promise<readonly string[] | undefined> {
    const result = await this.#ask(read.children(path))
    return 'children' in result ? result.children : undefined
  }

  #ask(part: ReadPart): Promise<ReadResult> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ part, answer, fail })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // Not in a microtask: the response to one request resumes many callers, which all request more reads first.
    this.#clock.afterPoll(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#inFlight < requestsInFlight) {
      void this.#send(this.#waiting.splice(0, partsPerRequest))
    }
  }

  async #send(pendingReads: readonly Question[]): Promise<void> {
    this.#inFlight += 1
    try {
      const results = await this.#readParts(pendingReads.map(({ part }) => part))
      for (const [index, { answer, fail }] of pendingReads.entries()) {
        const result = results[index] as ReadResult
        // A failed read does not mean that the node is absent.
        if ('error' in result && !isRegistryError(result.error, 'REGISTRY_NO_NODE'))
          fail(result.error)
        else answer(result)
      }
    } catch (error) {
      for (const { fail } of pendingReads) fail(error)
    } finally {
      this.#inFlight -= 1
      this.#flush()
    }
  }
}
