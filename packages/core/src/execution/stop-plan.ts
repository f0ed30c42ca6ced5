/** What an operator wants to end: which runs, and whether there is anything left of the wish. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobWord } from '../job-tree/job-word.ts'
import type { Member } from '../job-tree/member.ts'

/**
 * Takes back the wishes whose run is over. An item without a mark runs nothing: whoever asked had seen
 * the mark, and the replica shows what happened in its order.
 */
export function planStopsOver(view: JobView, { paths }: Member): TransactionPart[] {
  if (view.word?.value.stops === undefined) return []
  const { value, version } = view.word
  const { stops = {}, ...rest } = value
  const left = Object.entries(stops).filter(([item]) => view.items.get(Number(item))?.running)
  if (left.length === Object.keys(stops).length) return []
  const word = left.length === 0 ? rest : { ...rest, stops: Object.fromEntries(left) }
  return [part.set(paths.word, encodeJobWord(word), version)]
}
