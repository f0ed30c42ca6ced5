/** Who waits until a job is known here. */
interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** Whether it waits until the job is not broken any more. */
  readonly isWaiting: boolean
}

export class WaitingList {
  #waiting: readonly Waiting[] = []

  add(isWaiting: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = [...this.#waiting, { resolve, reject, isWaiting }]
    })
  }

  /** The job is known. */
  release(): void {
    for (const { resolve } of this.#take(() => true)) resolve()
  }

  /** The job is broken: nobody but the patient waits on. */
  refuse(error: () => unknown): void {
    for (const { reject } of this.#take(({ isWaiting }) => !isWaiting)) reject(error())
  }

  /** The job has stopped. */
  stop(error: unknown): void {
    for (const { reject } of this.#take(() => true)) reject(error)
  }

  #take(isMeant: (one: Waiting) => boolean): readonly Waiting[] {
    if (this.#waiting.length === 0) return this.#waiting
    const taken = this.#waiting.filter(isMeant)
    this.#waiting = this.#waiting.filter((one) => !isMeant(one))
    return taken
  }
}
