/** Stop requests of operators: removes the requests whose runs have ended. */
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/**
 * Removes the stop requests whose run has ended. A shard without a running mark runs nothing: the operator saw the mark
 * when requesting the stop, and the replica shows changes in their order.
 */
export function planStopsOver(view: JobView, { paths }: Member): TransactionPart[] {
  if (view.jobState?.value.stops === undefined) return []
  const { value, version } = view.jobState
  const { stops = {}, ...rest } = value
  const left = Object.entries(stops).filter(([shard]) => view.shards.get(Number(shard))?.running)
  if (left.length === Object.keys(stops).length) return []
  const jobState = left.length === 0 ? rest : { ...rest, stops: Object.fromEntries(left) }
  return [part.set(paths.jobState, encodeJobState(jobState), version)]
}
