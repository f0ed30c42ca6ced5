import type { Clock } from '../clock.ts'
import type { Problem } from '../errors.ts'
import type { RunReference } from '../events.ts'
import type { Logger } from '../logger.ts'

/** A failed run and its error. */
export interface RunFailure {
  readonly run: RunReference
  readonly error: unknown
}

/**
 * The context of an error handler. All failures of a job receive the same object as long as this process takes part in
 * the job.
 */
export interface ErrorContext {
  /** The current `props` of the job. */
  readonly props: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly logger: Logger
  /** Reports a failure of the handler itself, as the event `error:unhandled`. The error must not contain secrets. */
  readonly report: (error: unknown) => void
}

/** Handles failures of a job's code. */
export interface ErrorHandler {
  /** The name that a job selects it by. */
  readonly type: string
  /**
   * Problems of a job's `props` for this handler. A job with problems is not scheduled, and a change of its
   * configuration is refused. Problems must not contain secrets.
   */
  problemsOf?(props: Readonly<Record<string, string>>): readonly Problem[]
  /**
   * Called when the run has ended; the handler cannot delay or change the run any more. An error that it throws or
   * rejects with is emitted as `error:unhandled`.
   */
  handle(failure: RunFailure, context: ErrorContext): Promise<void> | void
  /**
   * Completes pending work; called when the scheduler stops and no job runs any more. After the signal aborts, which it
   * may have done already, the scheduler no longer waits.
   */
  stop?(signal: AbortSignal): Promise<void>
}

/** A callback of a job for its failures. */
export type OnError = (failure: RunFailure) => Promise<void> | void
