/**
 * What a replica wants to know. The server sends the event of a change before any answer that shows it,
 * and after every answer that does not; so an answer holds unless an event touched its node between the
 * arrival of the answer and its delivery, and then it is asked for again.
 */
import type { MultiReadResult, ReadPart, WatchEvent } from '@elasticjob/zookeeper'

import { MostlyEmptyMap } from '../mostly-empty.ts'

export interface QuestionHost {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<readonly MultiReadResult[]>
  deliver(part: ReadPart, result: MultiReadResult): void
  /** All that came in one answer has been delivered. */
  delivered(): void
  failed(error: unknown): void
}

interface Question {
  readonly part: ReadPart
  answered: boolean
  /** Something happened to the node after the answer and before its delivery. */
  overtaken: boolean
}

/** More in one request could make an answer larger than servers and clients like. */
const partsPerRequest = 250

export class Questions {
  readonly #host: QuestionHost
  readonly #wanted = new MostlyEmptyMap<string, ReadPart>()
  readonly #asked = new MostlyEmptyMap<string, Question>()
  #flushing = false
  /** Answers of an earlier connection speak of nothing any more. */
  #era = 0

  constructor(host: QuestionHost) {
    this.#host = host
  }

  /** Whether every question is answered. */
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
    // Under way and not answered yet: its answer will show what made us ask.
    if (this.#asked.has(key)) return
    this.#wanted.set(key, part)
    if (this.#flushing) return
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  /** A node has changed: answers that are here already, and not yet delivered, no longer hold. */
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
    const questions = parts.map((part): Question => ({ part, answered: false, overtaken: false }))
    for (const question of questions) this.#asked.set(keyOf(question.part), question)
    const onAnswer = (): void => {
      for (const question of questions) question.answered = true
    }
    let results: readonly MultiReadResult[]
    try {
      results = await this.#host.read(parts, onAnswer)
    } catch (error) {
      // It stays asked: what is not known must not be taken for settled.
      if (era === this.#era) this.#host.failed(error)
      return
    }
    if (era !== this.#era) return
    for (const [index, question] of questions.entries()) {
      this.#asked.delete(keyOf(question.part))
      const result = results[index]
      if (question.overtaken || result === undefined) this.ask(question.part)
      else this.#host.deliver(question.part, result)
      // What it said may have made everything unknown.
      if (era !== this.#era) return
    }
    this.#host.delivered()
  }
}

function keyOf({ type, path }: ReadPart): string {
  return `${type} ${path}`
}
