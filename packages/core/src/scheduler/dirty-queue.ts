import type { Clock } from '../clock.ts'

/** Somebody who looks at everything once when told that something is different. */
export interface Reconcilable {
  reconcile(): void
}

/**
 * Changes come in bursts: a transaction is several events, a socket's chunk many of them. Whoever they
 * concern looks once, when all of it has been taken in.
 */
export class DirtyQueue {
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  #dirty = new Set<Reconcilable>()
  #scheduled = false

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#failed = failed
  }

  add(reconcilable: Reconcilable): void {
    this.#dirty.add(reconcilable)
    if (this.#scheduled) return
    this.#scheduled = true
    this.#clock.afterPoll(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const dirty = this.#dirty
    this.#dirty = new Set()
    for (const reconcilable of dirty) {
      try {
        reconcilable.reconcile()
      } catch (error) {
        // One job that fails must not keep the others from looking.
        this.#failed(error)
      }
    }
  }
}
