/** What an operator wants to end: which runs, and whether there is anything left of the wish. */
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/**
 * Takes back the wishes whose run is over. A shard without a mark runs nothing: whoever asked had seen the mark, and
 * the replica shows what happened in its order.
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
