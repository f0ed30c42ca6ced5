/**
 * Resharding of a job in which Java takes part: Java's barrier, to the letter. The flag `necessary` goes
 * up; nothing of ours starts while it is up, and Java's triggers wait for it; when nothing runs that
 * moves or that is Java's, the items are dealt out and the flag comes down.
 */
import { part } from '@elasticjob/zookeeper'

import { leaderChecks } from '../election/plan.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { isDead, type ItemNodes, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { needOf, ownerOf } from './needs.ts'
import { commit, deal, type Deal, type ReshardingContext, type ReshardingDecision } from './plan.ts'
import { type KnownWords, leavingJava, planStamp, type StampContext } from './stamp.ts'
import { goesByTurns } from './turn.ts'

/** A Java trigger that meets the flag blocks, and runs nothing that moved: not right after a fire. */
const afterFire = 2000
/** A Java instance reads the flag, then the assignment, then starts: it is given time to have done so. */
const settle = 2000

export interface MixedContext extends ReshardingContext, StampContext {
  /** The last time the job fired; undefined if it never did. */
  readonly lastFire: number | undefined
  /** The words that were read because an earlier look asked for them. */
  readonly words: KnownWords
}

export function planMixedResharding(
  view: JobView,
  me: Member,
  context: MixedContext,
): ReshardingDecision {
  const need = needOf(view, { total: context.total, strategy: context.strategy.type })
  if (need === undefined) return clearFlag(view, me)
  if (view.necessary === undefined) return raiseFlag(view, me, context)
  const until = view.necessary.ctime + settle
  if (context.now < until) return { do: 'wait', until }
  if (isSomebodyAway(view)) return { do: 'nothing' }
  const dealt = deal(view, context)
  for (const [item, nodes] of view.items) {
    // Its end is an event.
    if (isInTheWay(view, item, nodes, dealt)) return { do: 'nothing' }
  }
  const leaving = itemsToStamp(view, dealt.owners, context)
  const unknown = leaving.filter((item) => !context.words.has(item))
  if (unknown.length > 0) return { do: 'read words', items: leaving }
  const stamps = leaving.map((item) => planStamp(view, me, item, context.words.get(item), context))
  // After a resharding the item is its owner's, for Java as for us: nobody is named any more.
  const turn = byTurns(view, context) && view.turn !== undefined
  return commit(view, me, need.reason, dealt, [
    ...stamps.filter((parts) => parts.length > 0),
    ...(turn ? [[part.delete(me.paths.nextInstanceIp)]] : []),
  ])
}

/**
 * A Java instance whose node is away is back in a moment, or dead in a few seconds, and both wake us. Dealt to
 * it, the items would need a second barrier, and what falls due between the two would run nowhere; under
 * the flag Java's triggers wait, and run it then.
 */
function isSomebodyAway(view: JobView): boolean {
  return [...view.absences.values()].some(({ isFinal }) => !isFinal)
}

/** What runs and would move, or runs on Java, ends first; a mark that a dead instance left is no run. */
function isInTheWay(
  view: JobView,
  item: number,
  { running, runner }: ItemNodes,
  { epoch }: Deal,
): boolean {
  if (!running || (runner !== undefined && isDead(view, runner))) return false
  const owner = ownerOf(view, item)
  if (owner === undefined || epoch.moving.has(item)) return true
  return isJavaInstance(owner) || (runner !== undefined && isJavaInstance(runner))
}

function itemsToStamp(view: JobView, owners: readonly string[], context: MixedContext): number[] {
  // By turns it may have been Java's turn last, whoever owned the item.
  if (byTurns(view, context)) return owners[0] === undefined || isJavaInstance(owners[0]) ? [] : [0]
  return leavingJava(view, owners)
}

function byTurns(view: JobView, { total, strategy }: MixedContext): boolean {
  return goesByTurns(view, { total, strategy: strategy.type })
}

/** A Java leader that was deposed in the middle leaves its flag, and everybody waits for its end. */
function clearFlag(view: JobView, me: Member): ReshardingDecision {
  if (!view.processing) return { do: 'nothing' }
  return {
    do: 'flag',
    operations: [...leaderChecks(view, me), part.delete(me.paths.processing)],
  }
}

/** Where the period allows it, the flag does not go up right after a fire. */
function raiseFlag(view: JobView, me: Member, context: MixedContext): ReshardingDecision {
  const { now, lastFire, nextFire } = context
  const until = (lastFire ?? 0) + afterFire
  const period = lastFire === undefined || nextFire === undefined ? Infinity : nextFire - lastFire
  if (now < until && period > 2 * afterFire) return { do: 'wait', until }
  return {
    do: 'flag',
    operations: [...leaderChecks(view, me), me.make.persistent(me.paths.necessary)],
  }
}
