export interface AbortListener {
  /** The run has to end. */
  aborted(): void
}

const none: readonly AbortListener[] = []

/**
 * Asks a run to end. An AbortSignal costs more to make, and to forget, than all else with which a run begins:
 * there is one once somebody asks for it, and most code never does.
 */
export class RunAbort {
  #isAborted = false
  #reason: Error | undefined
  #controller: AbortController | undefined
  #listeners: readonly AbortListener[] = none

  get isAborted(): boolean {
    return this.#isAborted
  }

  /** Why it has to end. */
  get reason(): Error | undefined {
    return this.#reason
  }

  /** What the job's code is given. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first reason counts. */
  abort(reason?: Error): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    const listeners = this.#listeners
    this.#listeners = none
    for (const listener of listeners) listener.aborted()
  }

  /** Tells the listener when it is aborted; once, and not if it is already. */
  onAbort(listener: AbortListener): void {
    if (!this.#isAborted) this.#listeners = [...this.#listeners, listener]
  }

  offAbort(listener: AbortListener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener)
  }
}
