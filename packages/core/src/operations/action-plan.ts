/** What an operation is going to do, planned from what is: pure, so that it can be planned again. */
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState, noJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { message } from '../message.ts'
import type { Effect, Omission } from './result.ts'

/** With what an operator makes a plan: he is no member of the job. */
export type Operator = Pick<Member, 'paths'>

/** One transaction, and the messages to report after it. */
export interface ActionPlan {
  readonly operations: TransactionPart[]
  readonly done: Effect[]
  readonly unchanged: Effect[]
  readonly skipped: Omission[]
}

export function emptyPlan(): ActionPlan {
  return { operations: [], done: [], unchanged: [], skipped: [] }
}

/** A plan for one change: without operations it was so before. */
export function planOf(effect: Effect, operations: TransactionPart[]): ActionPlan {
  const effects =
    operations.length === 0 ? { done: [], unchanged: [effect] } : { done: [effect], unchanged: [] }
  return { operations, ...effects, skipped: [] }
}

/** Nothing may be done to a job that is about to go. */
export function requireNotRemoving({ jobName, jobState }: JobView): void {
  if (jobState?.value.removing !== true) return
  throw new ElasticJobError('JOB_REMOVED', message('job-removal-pending', { jobName }))
}

/** What is to be different in a job state; what is undefined goes. */
export type Changes = { readonly [Key in keyof JobState]?: JobState[Key] | undefined }

/**
 * The job state with some of it changed; what is undefined goes. A job that only Java has run so far has none: then it
 * comes into being, with the folder that instances of ours expect beside it.
 */
export function changeJobState(
  view: JobView,
  { paths }: Operator,
  changes: Changes,
): TransactionPart[] {
  // What is undefined is left out by the encoding.
  const jobState = { ...noJobState, ...view.jobState?.value, ...changes } as JobState
  const text = encodeJobState(jobState)
  if (view.jobState !== undefined) return [part.set(paths.jobState, text, view.jobState.version)]
  return [part.create(paths.jobState, text), part.create(paths.shardStates)]
}
