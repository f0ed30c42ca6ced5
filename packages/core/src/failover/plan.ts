/**
 * What a crashed instance has left unfinished, and who takes it over. A run has crashed if its word says
 * that it runs and its instance is dead, whatever the marks say; one whose end was committed is never
 * run again.
 */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import { leaderChecks } from '../election/plan.ts'
import type { CrashedRun } from '../events.ts'
import type { PassedOver } from '../execution/passed-over.ts'
import { sinceGone } from '../execution/plan.ts'
import { encodeItemWord, type ItemWord } from '../job-tree/item-word.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import {
  availableInstances,
  isDead,
  isMixed,
  type ItemNodes,
  type JobView,
  type Versioned,
} from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'

/** For so long a waiting item is somebody's by rank; then it is anybody's. */
const turn = 2000

export function isCrashed(view: JobView, word: ItemWord): boolean {
  return word.state === 'running' && isDead(view, word.instance)
}

/**
 * Items that a dead instance may have left: all of them, whatever their marks say. The mark of a run that
 * began while failover was off went with its session, and only the word still speaks of it.
 */
export function suspects(view: JobView): number[] {
  return [...view.items.keys()]
}

/** A run that its instance has left, as events name it. */
export function crashedRun(jobName: string, item: number, word: ItemWord): CrashedRun {
  const { run: runId, instance, source, attempt, fireTime, round, begin: claimedAt } = word
  return {
    jobName,
    shardingItem: item,
    runId,
    instance,
    source,
    attempt,
    fireTime,
    round,
    claimedAt,
  }
}

export interface CrashPlan {
  /** Begun too often: it is given up until its next time. */
  readonly isAbandoned: boolean
  /** The word as it will be. */
  readonly word: ItemWord
  readonly operations: readonly TransactionPart[]
}

export interface CrashSettings {
  /** How often it may have been begun; 0 if nobody is to take it over. */
  readonly maximumAttempts: number
  readonly now: number
  /** In a mixed job: our node in Java's latch, which we have to hold, whoever leads. */
  readonly latchNode?: string | undefined
}

/** A crashed run waits for somebody to take it over. */
export function planCrash(
  view: JobView,
  me: Member,
  item: number,
  word: Versioned<ItemWord>,
  settings: CrashSettings,
): CrashPlan {
  const { paths } = me
  const nodes = view.items.get(item)
  // A body that kills its process must not kill the fleet, one instance after the other.
  const isAbandoned =
    word.value.attempt >= settings.maximumAttempts || isDoneByJava(view, item, nodes)
  const { begin } = word.value
  const crashed: ItemWord = isAbandoned
    ? // It has not gone on until now: what was scheduled since is to be run.
      { ...word.value, state: 'abandoned', end: begin }
    : { ...word.value, state: 'crashed', end: settings.now }
  return {
    isAbandoned,
    word: crashed,
    operations: [
      ...rightChecks(view, me, settings.latchNode),
      part.set(paths.itemWord(item), encodeItemWord(crashed), word.version),
      ...(isSeenTo(view, nodes)
        ? []
        : [
            ...(nodes?.running === true ? [part.delete(paths.mark(item, 'running'))] : []),
            ...marksOfDead(view, me, item),
            ...waitingMark(view, me, item, !isAbandoned),
          ]),
    ],
  }
}

/** In a mixed job whoever holds Java's latch may judge, in a pure one the leader. */
function rightChecks(view: JobView, me: Member, latchNode: string | undefined): TransactionPart[] {
  return latchNode === undefined ? leaderChecks(view, me) : [part.check(latchNode)]
}

/** Java knows no words: it may have taken the run over by now, or be running it. */
function isSeenTo(view: JobView, nodes: ItemNodes | undefined): boolean {
  return [nodes?.failover, nodes?.runner].some((one) => one !== undefined && !isDead(view, one))
}

/**
 * With failover on the mark of a run stays when its instance dies. In a mixed job one that is gone was
 * taken over, and ended, by Java: nobody else takes it away, and nothing that waits is left of it.
 */
function isDoneByJava(view: JobView, item: number, nodes: ItemNodes | undefined): boolean {
  if (!isMixed(view) || view.failoverItems.has(item)) return false
  const { running, failover, failovering } = nodes ?? {}
  return running !== true && failover === undefined && failovering === undefined
}

/** Java may have made it already. */
function waitingMark(
  view: JobView,
  { paths, make }: Member,
  item: number,
  isWanted: boolean,
): TransactionPart[] {
  if (view.failoverItems.has(item) === isWanted) return []
  const path = paths.failoverItem(item)
  return [isWanted ? make.persistent(path) : part.delete(path)]
}

function marksOfDead(view: JobView, me: Member, item: number): TransactionPart[] {
  const nodes = view.items.get(item)
  return (['failover', 'failovering'] as const)
    .filter((mark) => nodes?.[mark] !== undefined && isDead(view, nodes[mark]))
    .map((mark) => part.delete(me.paths.mark(item, mark)))
}

export interface Turns {
  /** The waiting items that are this instance's to take now. */
  readonly items: readonly number[]
  /** When further ones will be. */
  readonly until: number | undefined
}

/**
 * By rank, not by race: the k-th waiting item belongs to the (k mod m)-th living instance for a while,
 * then to anybody. `seen`: since when this instance knows of each.
 */
export function itemsToTake(
  view: JobView,
  me: Member,
  total: number,
  now: number,
  seen: ReadonlyMap<number, number>,
): Turns {
  const living = availableInstances(view).filter((instance) => !isJavaInstance(instance))
  const rank = living.indexOf(me.instance)
  if (rank === -1) return { items: [], until: undefined }
  const waiting = [...view.failoverItems].filter((item) => item < total).toSorted((a, b) => a - b)
  const items: number[] = []
  let until: number | undefined
  for (const [place, item] of waiting.entries()) {
    const nodes = view.items.get(item)
    if (nodes?.disabled === true || isRunByAnother(view, item)) continue
    if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) continue
    const freeFrom = (seen.get(item) ?? now) + turn
    if (place % living.length === rank || now >= freeFrom) items.push(item)
    else until = Math.min(until ?? Infinity, freeFrom)
  }
  return { items, until }
}

/**
 * In a mixed job: whether somebody who lives runs the item. Java pays no heed to what waits to be taken
 * over when it runs what it owns, and its mark is all that says so.
 */
export function isRunByAnother(view: JobView, item: number): boolean {
  const nodes = view.items.get(item)
  if (!view.readsOwners || nodes?.running !== true) return false
  return nodes.runner === undefined || !isDead(view, nodes.runner)
}

/** In a mixed job an instance of ours holds one at most: Java fires once for each that it sees. */
export function holdsOne(view: JobView, { instance }: Member): boolean {
  for (const { failover } of view.items.values()) if (failover === instance) return true
  return false
}

export interface TakeSettings {
  readonly now: number
  readonly runId: string
  readonly nextFireTime: number | undefined
  /** Times that will be told to be missed: they are not due any more. */
  readonly gone: readonly PassedOver[]
  /** In a mixed job: our node in Java's latch, which we have to hold. */
  readonly latchNode?: string | undefined
}

export interface TakePlan {
  readonly word: ItemWord
  readonly operations: readonly TransactionPart[]
}

/** One transaction takes an item over and marks it as running: nobody sees a state in between. */
export function planTake(
  view: JobView,
  me: Member,
  item: number,
  word: Versioned<ItemWord>,
  settings: TakeSettings,
): TakePlan {
  const { paths, make } = me
  const nodes = view.items.get(item)
  const taken: ItemWord = {
    ...word.value,
    state: 'running',
    run: settings.runId,
    instance: me.instance,
    attempt: word.value.attempt + 1,
    begin: settings.now,
    end: 0,
    nextFireTime: settings.nextFireTime ?? 0,
    since: sinceGone(word.value, settings.gone),
  }
  const { outcome: _, error: __, ...fresh } = taken
  const running = paths.mark(item, 'running')
  const left = (['failover', 'failovering'] as const).filter((mark) => nodes?.[mark] !== undefined)
  return {
    word: fresh,
    operations: [
      ...(settings.latchNode === undefined ? [] : [part.check(settings.latchNode)]),
      part.check(paths.instance(me.instance)),
      part.delete(paths.failoverItem(item)),
      ...left.map((mark) => part.delete(paths.mark(item, mark))),
      make.ephemeral(paths.mark(item, 'failover'), me.instance),
      make.persistent(paths.mark(item, 'failovering'), me.instance),
      ...(nodes?.running === true ? [part.delete(running)] : []),
      make.persistent(running, me.instance),
      part.set(paths.itemWord(item), encodeItemWord(fresh), word.version),
    ],
  }
}

/** Whether a waiting item's word allows it to be taken: what was completed is never run again. */
export function isTakeable(view: JobView, word: ItemWord): boolean {
  return word.state === 'crashed' || isCrashed(view, word)
}

/** A waiting item whose run is not one to be repeated: the mark goes, and nothing else. */
export function planDismissal(
  me: Member,
  item: number,
  word: Versioned<ItemWord> | undefined,
): TransactionPart[] {
  const { paths } = me
  return [
    ...(word === undefined
      ? []
      : [part.set(paths.itemWord(item), encodeItemWord(word.value), word.version)]),
    part.delete(paths.failoverItem(item)),
  ]
}

/**
 * Failover was switched off: all its marks go, so that switching it on again begins afresh. Java leaves
 * them, and does not look at them while it is off; for us an item that was taken over is not to be run.
 * `latchNode`: in a mixed job, our node in Java's latch, which we have to hold, whoever leads.
 */
export function planClearing(view: JobView, me: Member, latchNode?: string): TransactionPart[] {
  const operations: TransactionPart[] = []
  for (const item of view.failoverItems) operations.push(part.delete(me.paths.failoverItem(item)))
  for (const [item, nodes] of view.items) {
    for (const mark of ['failover', 'failovering'] as const) {
      const by = nodes[mark]
      // What is being run by a living taker ends by itself, and takes its marks along.
      if (by !== undefined && (isDead(view, by) || !nodes.running)) {
        operations.push(part.delete(me.paths.mark(item, mark)))
      }
    }
  }
  if (operations.length === 0) return []
  return [...rightChecks(view, me, latchNode), ...operations]
}
