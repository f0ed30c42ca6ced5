/** Caches answers for identical requests until something changes. */
import type { Clock } from '@elasticjob/core'

export interface Answer {
  readonly body: Uint8Array
  /** The total number of matches, of which the body may have only a page. */
  readonly total: number
  readonly revision: string
}

/** The lifetime of an answer, in milliseconds: some of its values depend on the time. */
const lifetime = 1000
/** The maximum number of answers: each can be large, and requests can differ without limit. */
const mostKept = 4

export class Answers {
  readonly #clock: Clock
  readonly #kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Requests that arrive while an answer is built share it. */
  of(question: string, make: () => Promise<Answer>): Promise<Answer> {
    const now = this.#clock.monotonic()
    const known = this.#kept.get(question)
    if (known !== undefined && now < known.until) return known.answer
    this.#kept.delete(question)
    const answer = make()
    this.#kept.set(question, { answer, until: now + lifetime })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
    // A failed answer is not cached.
    answer.catch(() => this.#kept.delete(question))
    return answer
  }

  /** Drops all answers after a change. */
  clear(): void {
    this.#kept.clear()
  }
}
