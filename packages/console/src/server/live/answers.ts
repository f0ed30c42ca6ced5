/** Answers that are made once for all who ask the same before anything changes. */
import type { Clock } from '@elasticjob/core'

export interface Answer {
  readonly body: Uint8Array
  /** How many there are of what was asked for, of which the body may have only some. */
  readonly total: number
  readonly revision: string
}

/** Some of what is in them follows the clock: they are good for so many milliseconds. */
const lifetime = 1000
/** Each may be large; there is no limit to the questions that can be asked. */
const mostKept = 4

export class Answers {
  readonly #clock: Clock
  readonly #kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Who asks while an answer is being made waits for that one. */
  of(question: string, make: () => Promise<Answer>): Promise<Answer> {
    const now = this.#clock.monotonic()
    const known = this.#kept.get(question)
    if (known !== undefined && now < known.until) return known.answer
    this.#kept.delete(question)
    const answer = make()
    this.#kept.set(question, { answer, until: now + lifetime })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
    // One that went wrong is not given to anybody else.
    answer.catch(() => this.#kept.delete(question))
    return answer
  }

  /** Something has changed. */
  clear(): void {
    this.#kept.clear()
  }
}
