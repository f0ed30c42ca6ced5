import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { candidates, leads } from './plan.ts'

/**
 * A Java leader does not know manual runs and schedules. Under a Java leader the first native candidate, the deputy,
 * does the work of a native leader for them.
 */
export function isDeputy(view: JobView, instance: string): boolean {
  if (leads(view, instance)) return true
  return hasJavaLeader(view) && ourCandidates(view)[0] === instance
}

export function hasJavaLeader({ leader }: JobView): boolean {
  return leader !== undefined && isJavaInstance(leader.instance)
}

/** The native instances that may lead, in the order of their rank. */
export function ourCandidates(view: JobView): string[] {
  return candidates(view).filter((instance) => !isJavaInstance(instance))
}
