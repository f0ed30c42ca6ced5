/**
 * The plan of an operation. Planning is a pure function of the job's state, so that an operation can be planned again.
 */
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState, noJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { message } from '../message.ts'
import type { Effect, Omission } from './result.ts'

/** The inputs for an operator's plan; an operator is not a member of the job. */
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

/** A plan for one change. Without operations, the job is already in the requested state. */
export function planOf(effect: Effect, operations: TransactionPart[]): ActionPlan {
  const effects =
    operations.length === 0 ? { done: [], unchanged: [effect] } : { done: [effect], unchanged: [] }
  return { operations, ...effects, skipped: [] }
}

/** Throws if the job is being removed: no other operation may change such a job. */
export function requireNotRemoving({ jobName, jobState }: JobView): void {
  if (jobState?.value.removing !== true) return
  throw new ElasticJobError('JOB_REMOVED', message('job-removal-pending', { jobName }))
}

/** The changes to a job state; an undefined value removes its key. */
export type Changes = { readonly [Key in keyof JobState]?: JobState[Key] | undefined }

/**
 * Changes the job state; an undefined value removes its key. A job that only Java has run so far has no job state. Then
 * this creates it, with the shard state folder that native instances expect.
 */
export function changeJobState(
  view: JobView,
  { paths }: Operator,
  changes: Changes,
): TransactionPart[] {
  // The encoding omits undefined values.
  const jobState = { ...noJobState, ...view.jobState?.value, ...changes } as JobState
  const text = encodeJobState(jobState)
  if (view.jobState !== undefined) return [part.set(paths.jobState, text, view.jobState.version)]
  return [part.create(paths.jobState, text), part.create(paths.shardStates)]
}
