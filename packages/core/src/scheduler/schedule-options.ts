import type { JobOptions } from '../config/job-configuration.ts'
import type { OnError } from '../error-handlers/error-handler.ts'
import type { Problem } from '../errors.ts'

/** A job's description, and what concerns this process alone. */
export interface ScheduleOptions extends JobOptions {
  /**
   * Called for every failure of the job in this process, beside the error handler; with
   * `jobErrorHandlerType: 'IGNORE'` in its place.
   * @default none
   */
  readonly onError?: OnError | undefined
}

/** Options that were not compiled may be anything. */
export function problemsOfLocal({ onError }: ScheduleOptions): readonly Problem[] {
  if (onError === undefined || typeof onError === 'function') return []
  return [{ key: 'onError', message: 'must be a function that is given the failure' }]
}
