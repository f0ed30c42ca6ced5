/**
 * The reads that a replica waits for. The server sends the event of a change before any answer that shows it, and after
 * every answer that does not. So an answer is valid unless an event touched its node between the arrival of the answer
 * and its delivery; then the node is read again.
 */
import { MostlyEmptyMap } from '../mostly-empty.ts'
import type { WatchEvent } from '../registry/registry-client.ts'
import type { ReadPart, ReadResult } from '../registry/transaction.ts'

export interface PendingReadsHost {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<readonly ReadResult[]>
  deliver(part: ReadPart, result: ReadResult): void
  /** All results of one answer have been delivered. */
  delivered(): void
  failed(error: unknown): void
}

interface Question {
  readonly part: ReadPart
  answered: boolean
  /** An event touched the node after the answer and before its delivery. */
  overtaken: boolean
}

/** A larger request could cause an answer that exceeds the limits of servers and clients. */
const partsPerRequest = 250

export class PendingReads {
  readonly #host: PendingReadsHost
  readonly #wanted = new MostlyEmptyMap<string, ReadPart>()
  readonly #asked = new MostlyEmptyMap<string, Question>()
  #flushing = false
  /** Answers from an earlier connection are obsolete. */
  #era = 0

  constructor(host: PendingReadsHost) {
    this.#host = host
  }

  /** Whether every read is answered. */
  get isSettled(): boolean {
    return this.#asked.size === 0 && this.#wanted.size === 0
  }

  clear(): void {
    this.#era += 1
    this.#wanted.clear()
    this.#asked.clear()
  }

  ask(part: ReadPart): void {
    const key = keyOf(part)
    // The read is in progress. Its answer shows the change that caused this call, or is overtaken and read again.
    if (this.#asked.has(key)) return
    this.#wanted.set(key, part)
    if (this.#flushing) return
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  /** A node has changed: answers that have arrived and are not delivered yet are obsolete. */
  touched(path: string, type: WatchEvent['type']): void {
    if (this.#asked.size === 0) return
    this.#overtake(`get ${path}`)
    if (type === 'dataChanged') return
    this.#overtake(`children ${path}`)
    this.#overtake(`children ${path.slice(0, path.lastIndexOf('/'))}`)
  }

  #overtake(key: string): void {
    const question = this.#asked.get(key)
    if (question?.answered === true) question.overtaken = true
  }

  #flush(): void {
    const parts = [...this.#wanted.values()]
    this.#wanted.clear()
    for (let start = 0; start < parts.length; start += partsPerRequest) {
      void this.#send(parts.slice(start, start + partsPerRequest))
    }
  }

  async #send(parts: readonly ReadPart[]): Promise<void> {
    const era = this.#era
    const pendingReads = parts.map((part): Question => ({
      part,
      answered: false,
      overtaken: false,
    }))
    for (const question of pendingReads) this.#asked.set(keyOf(question.part), question)
    const onAnswer = (): void => {
      for (const question of pendingReads) question.answered = true
    }
    let results: readonly ReadResult[]
    try {
      results = await this.#host.read(parts, onAnswer)
    } catch (error) {
      // The read stays pending: a replica with an unknown node must not count as settled.
      if (era === this.#era) this.#host.failed(error)
      return
    }
    if (era !== this.#era) return
    for (const [index, question] of pendingReads.entries()) {
      this.#asked.delete(keyOf(question.part))
      const result = results[index]
      if (question.overtaken || result === undefined) this.ask(question.part)
      else this.#host.deliver(question.part, result)
      // The answer may have reset the whole replica.
      if (era !== this.#era) return
    }
    this.#host.delivered()
  }
}

function keyOf({ type, path }: ReadPart): string {
  return `${type} ${path}`
}
