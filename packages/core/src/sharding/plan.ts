/** Resharding of a pure job, by its leader: items that do not run move now, the others when they end. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import { leaderChecks, ourLeaderVersion } from '../election/plan.ts'
import { encodeEpoch, type Epoch, noEpoch } from '../job-tree/epoch.ts'
import { availableInstances, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { itemMarks } from '../job-tree/paths.ts'
import { bytesOf, maximumBytes } from '../registry/committer.ts'
import { assign, type AssignmentInputs } from './assignment.ts'
import { digestOf, isOrphan, type Need, needOf, ownerOf, type ReshardingReason } from './needs.ts'
import type { ShardingStrategy } from './strategies/strategy.ts'

/** Coalescing: a deploy of many instances is one resharding. */
const quiet = 1000
const patience = 5000
/** Before a fire everything has to be in its place. */
const beforeFire = 500
/** An item without an owner is dealt out at once if it is due this soon. */
const dueSoon = 1000

export interface ReshardingContext {
  readonly total: number
  readonly strategy: ShardingStrategy
  readonly staticSharding: boolean
  readonly now: number
  /** The next time the job fires; undefined for none. */
  readonly nextFire: number | undefined
  /** Something is due now for items that nobody may own. */
  readonly isDue: boolean
  /** When the need was first seen, and when who takes part last changed. */
  readonly neededSince: number
  readonly lastChange: number
}

export type ReshardingDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  /** Java's flags come first: one has to go up, or one that was left behind has to go. */
  | { readonly do: 'flag'; readonly operations: readonly TransactionPart[] }
  /** What the words of these items say has to be known first. */
  | { readonly do: 'read words'; readonly items: readonly number[] }
  | {
      readonly do: 'commit'
      readonly reason: ReshardingReason
      /** Transactions, to be carried out one after the other. */
      readonly parts: readonly (readonly TransactionPart[])[]
      readonly epoch: Epoch
      readonly moved: number
    }

const nothing: ReshardingDecision = { do: 'nothing' }

export function planResharding(
  view: JobView,
  me: Member,
  context: ReshardingContext,
): ReshardingDecision {
  const inputs = { total: context.total, strategy: context.strategy.type }
  const need = needOf(view, inputs)
  if (need === undefined) return nothing
  const until = earliest(view, need, context)
  if (context.now < until) return { do: 'wait', until }
  return commit(view, me, need.reason, deal(view, context))
}

/** When the need is to be acted on. */
function earliest(view: JobView, need: Need, context: ReshardingContext): number {
  const { now, nextFire, neededSince, lastChange, total } = context
  if (!need.canWait) return now
  const settled = Math.min(lastChange + quiet, neededSince + patience)
  const untilFire = nextFire === undefined ? Infinity : nextFire - now
  if (context.isDue || untilFire <= dueSoon) {
    const available = new Set(availableInstances(view))
    for (let item = 0; item < total; item++) if (isOrphan(view, item, available)) return now
  }
  if (nextFire === undefined) return settled
  const deadline = nextFire - beforeFire
  // Who comes after it waits until the fire is over: an item that moves while it is due is claimed late,
  // and one that moves with everybody who comes is not claimed at all.
  return lastChange > deadline ? nextFire : Math.min(settled, deadline)
}

/** Who is to own what, and what the epoch will say of it. */
export interface Deal {
  readonly owners: readonly string[]
  readonly epoch: Epoch
}

export function deal(
  view: JobView,
  context: Pick<ReshardingContext, 'total' | 'strategy' | 'staticSharding' | 'now'>,
): Deal {
  const { total, strategy, staticSharding, now } = context
  const available = availableInstances(view)
  const digest = digestOf(available, { total, strategy: strategy.type })
  const isSettled = digest === view.epoch?.value.digest
  const inputs: AssignmentInputs = {
    available,
    total,
    strategy,
    staticSharding,
    isSettled,
    now,
  }
  const { owners, moving } = assign(view, inputs)
  return { owners, epoch: { digest, owners: withRunning(view, owners), moving } }
}

/** `first`: what has to be written before anything moves, or with it. */
export function commit(
  view: JobView,
  me: Member,
  reason: ReshardingReason,
  { owners, epoch }: Deal,
  first: readonly (readonly TransactionPart[])[] = [],
): ReshardingDecision {
  const { changes, moved } = itemChanges(view, me, owners)
  if (view.necessary !== undefined) changes.push([part.delete(me.paths.necessary)])
  if (view.processing) changes.push([part.delete(me.paths.processing)])
  const parts = inTransactions(view, me, [...first, ...changes], epoch)
  return { do: 'commit', reason, parts, epoch, moved }
}

/** Surplus items that still run stay their owner's until they end. */
function withRunning(view: JobView, owners: readonly string[]): (string | undefined)[] {
  const all: (string | undefined)[] = [...owners]
  for (const [item, { running }] of view.items) {
    if (item >= owners.length && running) all[item] = ownerOf(view, item)
  }
  return Array.from(all)
}

/** What has to be written for each item, item by item. */
function itemChanges(
  view: JobView,
  me: Member,
  owners: readonly string[],
): { changes: TransactionPart[][]; moved: number } {
  const { paths, make } = me
  const changes: TransactionPart[][] = []
  let moved = 0
  if (!view.folders.has('sharding')) changes.push([make.persistent(paths.items)])
  for (const [item, owner] of owners.entries()) {
    const nodes = view.items.get(item)
    if (nodes === undefined) {
      changes.push([make.persistent(paths.item(item)), make.persistent(paths.owner(item), owner)])
    } else if (!nodes.hasOwner) changes.push([make.persistent(paths.owner(item), owner)])
    else if (ownerOf(view, item) === owner) continue
    else changes.push([part.set(paths.owner(item), owner)])
    moved += 1
  }
  for (const [item, nodes] of view.items) {
    if (item < owners.length || nodes.running) continue
    const marks = itemMarks.filter((mark) => Boolean(nodes[mark]))
    changes.push([
      ...marks.map((mark) => part.delete(paths.mark(item, mark))),
      ...(nodes.hasOwner ? [part.delete(paths.owner(item))] : []),
      part.delete(paths.item(item)),
    ])
  }
  return { changes, moved }
}

/**
 * One transaction if it fits; else several, each checking that we still lead. The first of several says
 * that nobody knows who owns what is about to change, and only the last says who does: a resharding
 * that was cut short is needed again, even if everything is as it was before it, and leaves nothing out.
 */
function inTransactions(
  view: JobView,
  me: Member,
  changes: readonly (readonly TransactionPart[])[],
  epoch: Epoch,
): TransactionPart[][] {
  const first = encodeEpoch(underWay(view, epoch))
  const last = encodeEpoch(epoch)
  const epochBytes = Math.max(Buffer.byteLength(first), Buffer.byteLength(last))
  const room = maximumBytes - bytesOf(leaderChecks(view, me)) - epochBytes - 1024
  const bundles: TransactionPart[][] = [[]]
  let bytes = 0
  for (const change of changes) {
    const size = bytesOf(change)
    if (bytes + size > room && bytes > 0) {
      bundles.push([])
      bytes = 0
    }
    bundles.at(-1)?.push(...change)
    bytes += size
  }
  const version = view.epoch?.version ?? 0
  const path = me.paths.epoch
  return bundles.map((bundle, index) => {
    const begun = version + Math.min(index, 1)
    const isLast = index === bundles.length - 1
    const step = isLast
      ? part.set(path, last, begun)
      : index === 0
        ? part.set(path, first, begun)
        : part.check(path, begun)
    return [part.check(me.paths.leaderInstance, ourLeaderVersion), step, ...bundle]
  })
}

/** What is known while only some of the changes have been made. */
function underWay(view: JobView, { owners }: Epoch): Epoch {
  return {
    ...noEpoch,
    owners: owners.map((owner, item) => (ownerOf(view, item) === owner ? owner : undefined)),
  }
}
