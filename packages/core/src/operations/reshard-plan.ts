import type { JobView } from '../job-tree/job-view.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import { type ActionPlan, type Operator, planOf, requireNotRemoving } from './action-plan.ts'
import { effectOn } from './result.ts'

/** Sets the flag that asks the leader, native or Java, to reshard. */
export function planReshard(view: JobView, { paths }: Operator): ActionPlan {
  requireNotRemoving(view)
  const { jobName } = view
  const effect = effectOn({ jobName }, message('resharding-requested', { jobName }))
  // Without an assignment, the first leader computes one anyway.
  const isRequested = view.necessary !== undefined || view.assignment === undefined
  return planOf(effect, isRequested ? [] : [part.create(paths.necessary)])
}
