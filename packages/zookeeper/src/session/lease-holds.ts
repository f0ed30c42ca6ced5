/** Keeps the lease alive with writes until it is released. */
export interface LeaseHold {
  release(): void
}

/**
 * The current holds of a lease. Every run holds one; each hold knows its index, so that a release needs no
 * search.
 */
export class LeaseHolds {
  readonly #all: Hold[] = []
  readonly #allReleased: () => void

  constructor(allReleased: () => void) {
    this.#allReleased = allReleased
  }

  get size(): number {
    return this.#all.length
  }

  /** The node that one of the holds writes; undefined without holds. */
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
