/** Keeps the lease alive by writes until it is released. */
export interface LeaseHold {
  release(): void
}

/** Who holds a lease: every run does, so each knows its place and nobody is looked for. */
export class LeaseHolds {
  readonly #all: Hold[] = []
  readonly #allReleased: () => void

  constructor(allReleased: () => void) {
    this.#allReleased = allReleased
  }

  get size(): number {
    return this.#all.length
  }

  /** The node that one of them wants to be written; undefined if there is none. */
  get path(): string | undefined {
    return this.#all[0]?.path
  }

  add(path: string): LeaseHold {
    const hold = new Hold(this, path, this.#all.length)
    this.#all.push(hold)
    return hold
  }

  remove(hold: Hold): void {
    if (this.#all[hold.place] !== hold) return
    const last = this.#all.pop() as Hold
    if (last !== hold) {
      this.#all[hold.place] = last
      last.place = hold.place
    }
    if (this.#all.length === 0) this.#allReleased()
  }
}

class Hold implements LeaseHold {
  readonly #holds: LeaseHolds
  readonly path: string
  place: number

  constructor(holds: LeaseHolds, path: string, place: number) {
    this.#holds = holds
    this.path = path
    this.place = place
  }

  release(): void {
    this.#holds.remove(this)
  }
}
