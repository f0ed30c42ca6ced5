/** The name that jobs share which came after the limit was reached. */
const otherJobs = 'other'

/**
 * Under which name the figures of each job are kept. However many jobs a process has, there are no more
 * names than the limit, and one for all others.
 */
export class JobLabels {
  readonly #limit: number
  /** Whether the name of a job that has gone makes room for another one. */
  readonly #reuses: boolean
  readonly #names = new Map<string, string>()
  readonly #own = new Set<string>()

  constructor(limit: number, reuses: boolean) {
    this.#limit = limit
    this.#reuses = reuses
  }

  /** The name of a job that takes part from now on. */
  add(jobName: string): string {
    const known = this.#names.get(jobName)
    if (known !== undefined) return known
    const hasRoom = this.#own.has(jobName) || this.#own.size < this.#limit
    const label = hasRoom ? jobName : otherJobs
    if (hasRoom) this.#own.add(jobName)
    this.#names.set(jobName, label)
    return label
  }

  /** Undefined for a job that does not take part here. */
  get(jobName: string): string | undefined {
    return this.#names.get(jobName)
  }

  /** Answers the name if nobody else has it. */
  remove(jobName: string): string | undefined {
    const label = this.#names.get(jobName)
    this.#names.delete(jobName)
    if (label !== jobName) return undefined
    if (this.#reuses) this.#own.delete(jobName)
    return label
  }

  get all(): readonly string[] {
    return [...new Set(this.#names.values())]
  }
}
