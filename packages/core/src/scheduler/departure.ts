/** How an instance leaves a job. */
import { leads, planAbdication, planLastRequest } from '../election/plan.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { planClockRelease } from '../servers/plan.ts'

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

export async function carryOutDeparture(
  session: RegistrySession,
  transactions: readonly TransactionPart[][],
): Promise<void> {
  const given = transactions.map((one) => session.commit(one))
  for (const result of await Promise.allSettled(given)) {
    // Gone already, or without a connection: the end of the session takes it away.
    if (result.status === 'rejected' && !isRegistryError(result.reason)) throw result.reason
  }
}
