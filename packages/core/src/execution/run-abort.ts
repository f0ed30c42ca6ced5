/** The request to end a run: its reasons, and the outcome that follows from the reason. */
import { ElasticJobError, isElasticJobError } from '../errors.ts'
import type { RunOutcome } from '../events.ts'

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

/** The run exceeds the timeout of its job. */
export function timedOut(timeout: number): ElasticJobError {
  return new ElasticJobError('JOB_RUN_TIMEOUT', `the run took longer than ${timeout} ms`)
}

/**
 * The lease of the session that claimed the run is not valid any more. The run has to end before another instance may
 * run its shard.
 */
export function unproven(): ElasticJobError {
  return new ElasticJobError('JOB_STOPPED', 'the session is not proven to live any more')
}

export function stoppedByOperator(): ElasticJobError {
  return new ElasticJobError('JOB_RUN_STOPPED', 'an operator has stopped the run')
}

/**
 * The outcome of a run whose code ended with an error after the abort. A run that exceeded its timeout has failed, and
 * no instance takes it over: the run would exceed the timeout there, too.
 */
export function outcomeOfAborted({ reason }: RunAbort): RunOutcome {
  if (isElasticJobError(reason, 'JOB_RUN_TIMEOUT')) return 'failure'
  return isElasticJobError(reason, 'JOB_RUN_STOPPED') ? 'stopped' : 'aborted'
}

/** The outcome of a run that was aborted before its code started. A run that an operator stopped is not due again. */
export function outcomeOfUnbegun({ reason }: RunAbort): RunOutcome {
  return isElasticJobError(reason, 'JOB_RUN_STOPPED') ? 'stopped' : 'not-started'
}
