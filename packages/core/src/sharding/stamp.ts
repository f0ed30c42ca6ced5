/**
 * What Java has run stands in no word. An item that comes from Java gets the last time that its old
 * owner must have run, so that the new one neither repeats it nor loses those that Java slept through.
 */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import type { FireTimes } from '../execution/due.ts'
import { encodeItemWord, type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import type { JobWord } from '../job-tree/job-word.ts'
import type { Member } from '../job-tree/member.ts'
import { ownerOf } from './needs.ts'

/** Words as they were read; undefined for an item that has none. */
export type KnownWords = ReadonlyMap<number, Versioned<ItemWord> | undefined>

export interface StampContext {
  readonly fires: FireTimes | undefined
  /** What is older than this is due for nobody, in milliseconds. */
  readonly window: number
}

/** The items that an assignment takes from Java, to give them to instances of ours. */
export function leavingJava(view: JobView, owners: readonly string[]): number[] {
  const items: number[] = []
  for (const [item, to] of owners.entries()) {
    const from = ownerOf(view, item)
    if (from !== undefined && isJavaInstance(from) && !isJavaInstance(to)) items.push(item)
  }
  return items
}

/**
 * Nothing if the word says as much already. Nor if it runs on an instance of ours that lives: Java takes away
 * marks that are not its own, but the end of the run is written at the version of its claim, and says more.
 */
export function planStamp(
  view: JobView,
  me: Member,
  item: number,
  known: Versioned<ItemWord> | undefined,
  context: StampContext,
): TransactionPart[] {
  const before = known?.value ?? neverRun
  if (before.state === 'running' && !isDead(view, before.instance)) return []
  const until = ranUntil(view, item)
  const fireTime = context.fires?.latestAtOrBefore(until - 1, until - context.window) ?? 0
  const round = lastRoundBefore(view.word?.value, until)
  const ran = Math.max(before.fireTime, before.since ?? 0)
  if (fireTime <= ran && round <= before.round) return []
  const word = stamped(before, Math.max(fireTime, ran), Math.max(round, before.round))
  const path = me.paths.itemWord(item)
  return known === undefined
    ? [me.make.persistent(path, encodeItemWord(word))]
    : [part.set(path, encodeItemWord(word), known.version)]
}

/** A crashed run, whether somebody has turned it over or not, keeps the time and the round that are to be made good. */
function stamped(before: ItemWord, fireTime: number, round: number): ItemWord {
  const isCrashed = before.state === 'crashed' || before.state === 'running'
  if (!isCrashed) return { ...before, fireTime, round }
  return { ...before, since: fireTime, round: before.source === 'trigger' ? before.round : round }
}

/** Java runs an item until the flag goes up, or until it dies. */
function ranUntil(view: JobView, item: number): number {
  const raised = view.necessary?.ctime ?? 0
  const owner = ownerOf(view, item)
  const gone = owner === undefined ? undefined : view.absences.get(owner)?.since
  return Math.min(raised, gone ?? Infinity)
}

/** Java was asked for rounds by its own triggers, in the transaction that asked us. */
function lastRoundBefore(word: JobWord | undefined, time: number): number {
  const rounds = [word?.previous, word?.running, word?.pending]
  const asked = rounds.filter((round) => round !== undefined && round.asked < time)
  return Math.max(0, ...asked.map((round) => round?.id ?? 0))
}
