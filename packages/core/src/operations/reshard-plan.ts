import type { JobView } from '../job-tree/job-view.ts'
import { say } from '../sentence.ts'
import { type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { effectOn } from './result.ts'

/** The flag by which any leader, ours or Java's, is told to deal out the items anew. */
export function planReshard(view: JobView, { paths, make }: Operator): Draft {
  requireStaying(view)
  const { jobName } = view
  const draft = emptyDraft()
  const effect = effectOn({ jobName }, say`the items of job ${jobName} are to be dealt out anew`)
  // Where nobody has ever dealt out anything, the first who leads does so unasked.
  if (view.necessary !== undefined || view.epoch === undefined) {
    draft.unchanged.push(effect)
    return draft
  }
  draft.operations.push(make.persistent(paths.necessary))
  draft.done.push(effect)
  return draft
}
