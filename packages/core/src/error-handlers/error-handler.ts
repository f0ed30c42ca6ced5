import type { Clock } from '../clock.ts'
import type { Problem } from '../errors.ts'
import type { RunReference } from '../events.ts'
import type { Logger } from '../logger.ts'

/** A run that failed, and why. */
export interface RunFailure {
  readonly run: RunReference
  readonly error: unknown
}

/**
 * What a handler is given beside a failure. It is the same object for all failures of a job for as long
 * as this process takes part in it.
 */
export interface ErrorContext {
  /** The job's `props` as they are now. */
  readonly props: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly logger: Logger
  /** Says that the handler itself has failed: the event `error:unhandled`. It must not name secrets. */
  readonly report: (error: unknown) => void
}

/** What becomes of failures of a job's code. */
export interface ErrorHandler {
  /** The name by which a job asks for it. */
  readonly type: string
  /**
   * What is wrong with a job's `props` for this handler. A job is not scheduled, and a change of its
   * configuration is refused, while there is something. Problems must not name secrets.
   */
  problemsOf?(props: Readonly<Record<string, string>>): readonly Problem[]
  /**
   * Called when the run has ended, which nothing here can delay or change any more. What it throws, or
   * rejects with, is told as `error:unhandled`.
   */
  handle(failure: RunFailure, context: ErrorContext): Promise<void> | void
  /**
   * Ends what is still under way; called when the scheduler stops and no job runs any more. With the
   * abort of the signal, which may be there from the beginning, nobody waits any longer.
   */
  stop?(signal: AbortSignal): Promise<void>
}

/** A job's own callback for its failures. */
export type OnError = (failure: RunFailure) => Promise<void> | void
