import type { RunReference } from '@elasticjob/core'

import type { ErrorText } from './error-text.ts'

/** Failures with the same error. */
export interface FailureGroup {
  readonly error: ErrorText
  readonly count: number
  /** The items that failed so; the first of them if they are many. */
  readonly items: readonly number[]
  /** The latest of these runs. */
  readonly run: RunReference
}

/** One message: what it tells people of a job. */
export interface Notice {
  readonly jobName: string
  /** How many failures it tells of. */
  readonly count: number
  /** When the first and the last of them were seen, in milliseconds. */
  readonly since: number
  readonly until: number
  readonly groups: readonly FailureGroup[]
  /** How many of them belong to none of the groups, because there are too many different ones. */
  readonly others: number
  /** How many failures before these were never told, because sending had failed. */
  readonly untold: number
}
