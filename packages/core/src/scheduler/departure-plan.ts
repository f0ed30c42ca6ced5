/** Plans how an instance leaves a job. */
import { leads, planAbdication, planLastRequest } from '../election/plan.ts'
import { noJobState } from '../job-tree/job-state.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { planClockRelease } from '../servers/plan.ts'

/** Whether an operator has shut this instance down or removes the job. `instance`: its id when it last took part. */
export function isSentAway({ jobState }: JobView, instance: string | undefined): boolean {
  const { removing, shutdown } = jobState?.value ?? noJobState
  return removing === true || shutdown?.some((one) => one === instance) === true
}

/** `leadership`: the instance keeps its node until its runs have ended, because Java would treat them as crashed. */
export type DepartureNotice = 'leadership' | 'everything'

/**
 * Returns separate transactions, which are committed together. If an operator has already deleted the instance node,
 * that transaction fails, and the leader node must still be deleted.
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
