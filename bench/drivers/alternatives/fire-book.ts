/** What came of the fires of some time. */
export interface Fires {
  readonly expected: number
  /** Fires that no run was begun for. */
  readonly missed: number
  /** Runs too many for the same fire of a job. */
  readonly repeated: number
  /**
   * Fires a second that were run. Who is later and later still runs fires from before in this time: those
   * count. Never more than there were, though late ones of before and own ones may add up to more.
   */
  readonly perSecond: number
  /** In milliseconds, of all runs, each one's begin since its fire. */
  readonly lateness: readonly number[]
}

/** Keeps book of when runs begin, for fires from one moment until another. */
export class FireBook {
  readonly #seen = new Set<string>()
  readonly #lateness: number[] = []
  #from = Infinity
  #to = Infinity
  #begun = 0
  #repeated = 0

  /** Begins to keep book; in milliseconds since 1970, the end is not part of it. */
  open(from: number, to: number): void {
    this.#from = from
    this.#to = to
  }

  note(job: string, scheduled: number, now: number): void {
    if (this.#covers(now)) this.#begun += 1
    if (!this.#covers(scheduled)) return
    const fire = `${job}@${scheduled}`
    if (this.#seen.has(fire)) {
      this.#repeated += 1
      return
    }
    this.#seen.add(fire)
    this.#lateness.push(now - scheduled)
  }

  /** Of so many jobs, each of which should have fired every so many milliseconds. */
  result(jobs: number, period: number): Fires {
    const expected = jobs * Math.round((this.#to - this.#from) / period)
    const run = Math.max(this.#begun, this.#seen.size)
    return {
      expected,
      missed: expected - this.#seen.size,
      repeated: this.#repeated,
      perSecond: (Math.min(expected, run) * 1_000) / (this.#to - this.#from),
      lateness: this.#lateness,
    }
  }

  #covers(moment: number): boolean {
    return moment >= this.#from && moment < this.#to
  }
}
