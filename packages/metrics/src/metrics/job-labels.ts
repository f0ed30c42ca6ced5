/** The shared name of jobs beyond the limit. */
const otherJobs = 'other'

/** The label of each job. The number of labels is limited; further jobs share one label. */
export class JobLabels {
  readonly #limit: number
  /** Whether the label of a stopped job is reused. */
  readonly #reuses: boolean
  readonly #names = new Map<string, string>()
  readonly #own = new Set<string>()

  constructor(limit: number, reuses: boolean) {
    this.#limit = limit
    this.#reuses = reuses
  }

  /** The label of a job that starts now. */
  add(jobName: string): string {
    const known = this.#names.get(jobName)
    if (known !== undefined) return known
    const hasRoom = this.#own.has(jobName) || this.#own.size < this.#limit
    const label = hasRoom ? jobName : otherJobs
    if (hasRoom) this.#own.add(jobName)
    this.#names.set(jobName, label)
    return label
  }

  /** Undefined for a job that does not run here. */
  get(jobName: string): string | undefined {
    return this.#names.get(jobName)
  }

  /** Returns the label if no other job shares it. */
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
