/** Where a run starts and where it ends: one transaction each, which sets the item's word. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import type { RunOutcome } from '../events.ts'
import { encodeItemWord, type ItemWord, neverRun } from '../job-tree/item-word.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { type Due, isFromTheFuture } from './due.ts'
import type { PassedOver } from './passed-over.ts'

/** An item that this instance owns, as it was last read or written. */
export interface OwnedItem {
  readonly item: number
  /** The version of `sharding/{i}/instance` at which it named us. */
  readonly ownerVersion: number
  /** When `sharding/{i}` came into being. */
  readonly created: number
  /** Undefined if the item has no word yet. */
  readonly word: ItemWord | undefined
  readonly wordVersion: number
}

export interface ClaimSettings {
  readonly failover: boolean
  readonly now: number
  readonly runId: string
  readonly nextFireTime: number | undefined
  /** Times that will be told to be missed: they are not due any more. */
  readonly gone: readonly PassedOver[]
}

export interface ClaimPlan {
  readonly word: ItemWord
  readonly operations: readonly TransactionPart[]
}

/** One claim: it succeeds for one of all who try, and only while everything it was planned on holds. */
export function planClaim(
  view: JobView,
  me: Member,
  owned: OwnedItem,
  due: Due,
  settings: ClaimSettings,
): ClaimPlan {
  const { paths, make } = me
  const { item } = owned
  const nodes = view.items.get(item)
  const before = owned.word ?? neverRun
  // Key by key and always in the same shape, here and at the end: it is made for every run.
  const word: ItemWord = {
    state: 'running',
    run: settings.runId,
    instance: me.instance,
    fireTime: fireTimeOf(before, due, settings.now),
    source: due.source,
    attempt: 1,
    round: due.source === 'trigger' ? due.round.id : before.round,
    begin: settings.now,
    end: 0,
    nextFireTime: settings.nextFireTime ?? 0,
    since: sinceOf(before, due, settings.gone),
  }
  const running = paths.mark(item, 'running')
  const operations: TransactionPart[] = [
    part.check(paths.instance(me.instance)),
    part.check(paths.owner(item), owned.ownerVersion),
  ]
  // A mark of a dead instance may be left: its run is over, and the word says whose it was.
  if (nodes?.running === true) operations.push(part.delete(running))
  operations.push(
    settings.failover
      ? make.persistent(running, me.instance)
      : make.ephemeral(running, me.instance),
  )
  if (nodes?.misfire === true) operations.push(part.delete(paths.mark(item, 'misfire')))
  const path = paths.itemWord(item)
  // One that is new is created and then set, so that the answer has a stat: its zxid is the fencing token.
  if (owned.word === undefined) operations.push(make.persistent(path))
  const version = owned.word === undefined ? 0 : owned.wordVersion
  operations.push(part.set(path, encodeItemWord(word), version))
  return { word, operations }
}

/** What is gone with a scheduled run lies before its time; of others only this tells it. */
function sinceOf(before: ItemWord, due: Due, gone: readonly PassedOver[]): number | undefined {
  return due.source === 'trigger' ? sinceGone(before, gone) : before.since
}

/** The times that are gone are not due any more. */
export function sinceGone({ since }: ItemWord, gone: readonly PassedOver[]): number | undefined {
  return gone.length === 0 ? since : Math.max(since ?? 0, ...gone.map((row) => row.last))
}

/** A trigger leaves the fire time alone, and one that cannot have been is corrected by the next claim. */
function fireTimeOf(before: ItemWord, due: Due, now: number): number {
  if (due.source !== 'trigger') return due.fireTime
  return isFromTheFuture(before, now) ? 0 : before.fireTime
}

export interface Ending {
  readonly outcome: RunOutcome
  readonly error: string | undefined
  /** It was aborted and is to be run again by somebody else: failover is on. */
  readonly handOver: boolean
  /** The word as it was before the claim: of a run that never started, nothing counts. */
  readonly before: ItemWord
  readonly now: number
}

/** What is kept of an error in the registry; the whole of it is in the event. */
const errorLength = 500

/** The end of a run, whatever came of it: a mark that stays would silence the item for ever. */
export function planEnd(
  view: JobView,
  me: Member,
  owned: OwnedItem & { readonly word: ItemWord },
  ending: Ending,
): ClaimPlan {
  const { item } = owned
  const nodes = view.items.get(item)
  const { word: claimed } = owned
  // What makes a time or a round due: with what was before back in place, it is due again.
  const counts = ending.outcome === 'not-started' ? ending.before : claimed
  const word: ItemWord = {
    state: ending.handOver ? 'crashed' : 'idle',
    run: claimed.run,
    instance: claimed.instance,
    fireTime: counts.fireTime,
    source: claimed.source,
    attempt: counts.attempt,
    round: counts.round,
    begin: counts.begin,
    end: ending.outcome === 'not-started' ? ending.before.end : ending.now,
    nextFireTime: claimed.nextFireTime,
    outcome: ending.outcome,
    since: counts.since,
    error: ending.error?.slice(0, errorLength),
  }
  const operations: TransactionPart[] = []
  if (nodes?.running === true) operations.push(part.delete(me.paths.mark(item, 'running')))
  if (nodes?.failover === me.instance) operations.push(part.delete(me.paths.mark(item, 'failover')))
  if (nodes?.failovering === me.instance) {
    operations.push(part.delete(me.paths.mark(item, 'failovering')))
  }
  if (ending.handOver && !view.failoverItems.has(item)) {
    operations.push(me.make.persistent(me.paths.failoverItem(item)))
  }
  operations.push(part.set(me.paths.itemWord(item), encodeItemWord(word), owned.wordVersion))
  return { word, operations }
}

/** Keeps an offset, as long as the run is still the item's. */
export function planOffset(
  me: Member,
  item: number,
  wordVersion: number,
  offset: string,
  exists: boolean,
): TransactionPart[] {
  const path = me.paths.offset(item)
  return [
    part.check(me.paths.itemWord(item), wordVersion),
    exists ? part.set(path, offset) : me.make.persistent(path, offset),
  ]
}
