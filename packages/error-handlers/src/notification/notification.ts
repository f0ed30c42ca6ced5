import type { RunReference } from '@elasticjob/core'

import type { ErrorText } from './error-text.ts'

/** Failures with the same error. */
export interface FailureGroup {
  readonly error: ErrorText
  readonly count: number
  /** The failed shards, or the first ones if there are many. */
  readonly shards: readonly number[]
  /** The latest of these runs. */
  readonly run: RunReference
}

/** The content of one notification about a job. */
export interface Notification {
  readonly jobName: string
  /** The number of failures in it. */
  readonly count: number
  /** When the first and the last of them occurred, in milliseconds. */
  readonly since: number
  readonly until: number
  readonly groups: readonly FailureGroup[]
  /** The number of failures outside the groups, because there are too many different errors. */
  readonly others: number
  /** The number of earlier failures whose notification could not be sent. */
  readonly untold: number
}
