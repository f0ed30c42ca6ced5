/** What an operation is going to do, planned from what is: pure, so that it can be planned again. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobWord, type JobWord, noJobWord } from '../job-tree/job-word.ts'
import type { Member } from '../job-tree/member.ts'
import { say } from '../sentence.ts'
import type { Effect, Omission } from './result.ts'

/** With what an operator makes a plan: he is no member of the job. */
export type Operator = Pick<Member, 'paths' | 'make'>

/** One transaction, and what is to be said of it when it is done. */
export interface Draft {
  readonly operations: TransactionPart[]
  readonly done: Effect[]
  readonly unchanged: Effect[]
  readonly skipped: Omission[]
}

export function emptyDraft(): Draft {
  return { operations: [], done: [], unchanged: [], skipped: [] }
}

/** Nothing may be done to a job that is about to go. */
export function requireStaying({ jobName, word }: JobView): void {
  if (word?.value.removing !== true) return
  throw new ElasticJobError(
    'JOB_REMOVED',
    say`job ${jobName} is being removed; remove it once more if that was interrupted`,
  )
}

/**
 * The job's word with some of it changed; what is undefined goes. A job that only Java has run so far has
 * none: then it comes into being, with the folder that instances of ours expect beside it.
 */
export function changeWord(
  view: JobView,
  { paths, make }: Operator,
  changes: { readonly [Key in keyof JobWord]?: JobWord[Key] | undefined },
): TransactionPart[] {
  // What is undefined is left out by the encoding.
  const word = { ...noJobWord, ...view.word?.value, ...changes } as JobWord
  const text = encodeJobWord(word)
  if (view.word !== undefined) return [part.set(paths.word, text, view.word.version)]
  return [make.persistent(paths.word, text), make.persistent(paths.words)]
}
