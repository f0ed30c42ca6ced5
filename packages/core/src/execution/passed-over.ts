/**
 * Only the latest of all times that are due is run, and with it those before are gone for good. Whoever
 * claims it knows which they are: the item's word says what was run last, and nobody else can have claimed
 * in between. So none of them is gone without a word, whoever led the job meanwhile, and if nobody did.
 */
import type { ItemWord } from '../job-tree/item-word.ts'
import { type Due, type DueContext, dueAfter } from './due.ts'

/** Scheduled times that will not be run any more: the first and the last of a row. */
export interface PassedOver {
  readonly first: number
  readonly last: number
}

/** `word`: of the item, before the claim; `since`: when the item came into being or was switched on again. */
export function passedOver(
  word: ItemWord,
  since: number,
  due: Due,
  context: DueContext,
): PassedOver[] {
  const { fires } = context
  const before = lastGone(due, context)
  if (fires === undefined || before === undefined) return []
  const after = dueAfter(word, since, context)
  const { begin, end } = word
  const row = (from: number, to: number): PassedOver[] => {
    const first = fires.nextAfter(from)
    if (first === undefined || first > to) return []
    return [{ first, last: fires.latestAtOrBefore(to, from) ?? first }]
  }
  // What came while it ran is a misfire, with rules of its own.
  if (end <= begin || end <= after) return row(after, before)
  return [...row(after, Math.min(begin, before)), ...row(Math.max(after, end), before)]
}

/** No time up to this one will be run any more once the claim holds. */
function lastGone(due: Due, { oldest, catchUp, paused }: DueContext): number | undefined {
  if (due.source === 'cron' || due.source === 'misfire') return due.fireTime - 1
  // The run of a round, or one that is made good, takes no time's place; but while it goes on nobody tells of
  // what is too old by now.
  return !paused && catchUp.policy === 'skip' ? oldest : undefined
}
