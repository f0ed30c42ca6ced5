import type { JobView } from '../job-tree/job-view.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import { type ActionPlan, emptyPlan, type Operator, requireNotRemoving } from './action-plan.ts'
import { effectOn } from './result.ts'

/** The flag by which any leader, ours or Java's, is told to reassign the shards. */
export function planReshard(view: JobView, { paths }: Operator): ActionPlan {
  requireNotRemoving(view)
  const { jobName } = view
  const actionPlan = emptyPlan()
  const effect = effectOn({ jobName }, message('resharding-requested', { jobName }))
  // Without an assignment, the first leader computes one anyway.
  if (view.necessary !== undefined || view.assignment === undefined) {
    actionPlan.unchanged.push(effect)
    return actionPlan
  }
  actionPlan.operations.push(part.create(paths.necessary))
  actionPlan.done.push(effect)
  return actionPlan
}
