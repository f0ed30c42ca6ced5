/** How an instance leaves a job. */
import { leads, planAbdication, planLastRequest } from '../election/plan.ts'
import { noJobState } from '../job-tree/job-state.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { planClockRelease } from '../servers/plan.ts'

/** Whether an operator wants this instance out of the job, or nobody in it. `instance`: its id when it last took part. */
export function isSentAway({ jobState }: JobView, instance: string | undefined): boolean {
  const { removing, shutdown } = jobState?.value ?? noJobState
  return removing === true || shutdown?.some((one) => one === instance) === true
}

/** `leadership`: it takes part until its runs have ended, because Java would take them for crashed. */
export type DepartureNotice = 'leadership' | 'everything'

/**
 * Each transaction stands for itself, though they go out together: an instance node that an operator has
 * deleted must not keep the office of a leader who is gone.
 */
export function planDeparture(
  view: JobView,
  me: Member,
  what: DepartureNotice,
): TransactionPart[][] {
  const transactions: TransactionPart[][] = []
  if (leads(view, me.instance)) {
    const request = planLastRequest(view, me)
    if (request.length > 0) transactions.push(request)
    transactions.push(planAbdication(view, me))
  }
  const release = planClockRelease(view, me)
  if (release.length > 0) transactions.push(release)
  if (what === 'everything') transactions.push([part.delete(me.paths.instance(me.instance))])
  return transactions
}
