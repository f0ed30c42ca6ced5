import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { candidates, leads } from './plan.ts'

/**
 * Under a Java leader, who knows nothing of manual runs and schedules, the first of ours does what a leader of ours
 * would do about them.
 */
export function isDeputy(view: JobView, instance: string): boolean {
  if (leads(view, instance)) return true
  return hasJavaLeader(view) && ourCandidates(view)[0] === instance
}

export function hasJavaLeader({ leader }: JobView): boolean {
  return leader !== undefined && isJavaInstance(leader.instance)
}

/** Those of ours who may lead, in the order of their rank. */
export function ourCandidates(view: JobView): string[] {
  return candidates(view).filter((instance) => !isJavaInstance(instance))
}
