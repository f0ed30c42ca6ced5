import type { Clock } from '../clock.ts'

/** Reconciles its whole state after a change. */
export interface Reconcilable {
  reconcile(): void
}

/**
 * Collects changes, which come in bursts: a transaction causes several events, a chunk of a socket many. Each affected
 * job reconciles once, after the process has handled all of them.
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
        // A failing job must not keep the others from reconciling.
        this.#failed(error)
      }
    }
  }
}
