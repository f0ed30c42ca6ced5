export interface AbortListener {
  /** Called when the run has to end. */
  aborted(): void
}

const none: readonly AbortListener[] = []

/**
 * Asks a run to end. Creating and collecting an AbortSignal costs more than the rest of starting a run, and most job
 * code never reads the signal. So `signal` creates it on first access.
 */
export class RunAbort {
  #isAborted = false
  #reason: Error | undefined
  #controller: AbortController | undefined
  #listeners: readonly AbortListener[] = none

  get isAborted(): boolean {
    return this.#isAborted
  }

  /** Why the run has to end. */
  get reason(): Error | undefined {
    return this.#reason
  }

  /** The signal passed to the job's code. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first call sets the reason; later calls have no effect. */
  abort(reason?: Error): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    const listeners = this.#listeners
    this.#listeners = none
    for (const listener of listeners) listener.aborted()
  }

  /** Calls the listener once when the run is aborted. Does nothing if the run is already aborted. */
  onAbort(listener: AbortListener): void {
    if (!this.#isAborted) this.#listeners = [...this.#listeners, listener]
  }

  offAbort(listener: AbortListener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener)
  }
}
