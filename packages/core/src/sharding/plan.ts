/** Resharding in native mode, by the leader: idle shards move now, running shards move when their run ends. */
import { leaderChecks, ourLeaderVersion } from '../election/plan.ts'
import {
  encodeAssignment,
  type StoredAssignment,
  noAssignment,
} from '../job-tree/stored-assignment.ts'
import { availableInstances, type JobView, stateCheck } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { shardMarks } from '../job-tree/paths.ts'
import { bytesOf, maximumBytes } from '../registry/committer.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { assign, type AssignmentInputs } from './assignment.ts'
import { leavingServers, planFormerServer } from './former-servers.ts'
import { digestOf, isOrphan, type Need, needOf, ownerOf, type ReshardingReason } from './needs.ts'
import type { KnownStates } from './stamp.ts'
import type { ShardingStrategy } from './strategies/strategy.ts'

/** Coalesces changes: a deploy of many instances causes one resharding. */
const quiet = 1000
const longestWait = 5000
/** The resharding has to finish this long before a fire. */
const beforeFire = 500
/** A shard without an owner is assigned at once if its next fire time is this near. */
const dueSoon = 1000

export interface ReshardingContext {
  readonly total: number
  readonly strategy: ShardingStrategy
  readonly staticSharding: boolean
  readonly now: number
  /** The next fire time of the job; undefined if there is none. */
  readonly nextFire: number | undefined
  /** A fire time is due now for a shard without an available owner. */
  readonly isDue: boolean
  /** When the need was first seen, and when the set of instances last changed. */
  readonly neededSince: number
  readonly lastChange: number
  /** The shard states that an earlier step asked to read. */
  readonly states: KnownStates
}

export type ReshardingDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  /** Java's flags come first: raise one, or delete a leftover. */
  | { readonly do: 'flag'; readonly operations: readonly TransactionPart[] }
  /** The plan needs the states of these shards. */
  | { readonly do: 'read states'; readonly shards: readonly number[] }
  | {
      readonly do: 'commit'
      readonly reason: ReshardingReason
      /** Transactions, committed one after the other. */
      readonly parts: readonly (readonly TransactionPart[])[]
      readonly assignment: StoredAssignment
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
  const resharding = reshard(view, context)
  const leaving = leavingServers(view, resharding.owners)
  if (leaving.some((shard) => !context.states.has(shard))) {
    return { do: 'read states', shards: leaving }
  }
  const records = leaving.map((shard) =>
    planFormerServer(view, me, shard, context.states.get(shard), context.now),
  )
  return commit(view, me, need.reason, resharding, records)
}

/** The earliest time to act on the need. */
function earliest(view: JobView, need: Need, context: ReshardingContext): number {
  const { now, nextFire, neededSince, lastChange, total } = context
  if (!need.canWait) return now
  const settled = Math.min(lastChange + quiet, neededSince + longestWait)
  const untilFire = nextFire === undefined ? Infinity : nextFire - now
  if (context.isDue || untilFire <= dueSoon) {
    const available = new Set(availableInstances(view))
    for (let shard = 0; shard < total; shard++) if (isOrphan(view, shard, available)) return now
  }
  if (nextFire === undefined) return settled
  const deadline = nextFire - beforeFire
  // An instance that joins after the deadline waits until the fire is over. A shard that moves while its fire time is
  // due is claimed late, and a shard that moves again with every new instance is not claimed at all.
  return lastChange > deadline ? nextFire : Math.min(settled, deadline)
}

/** The result of a resharding: the owners, and the assignment to store. */
export interface Resharding {
  readonly owners: readonly string[]
  readonly assignment: StoredAssignment
}

export function reshard(
  view: JobView,
  context: Pick<ReshardingContext, 'total' | 'strategy' | 'staticSharding' | 'now'>,
): Resharding {
  const { total, strategy, staticSharding, now } = context
  const available = availableInstances(view)
  const digest = digestOf(available, { total, strategy: strategy.type })
  const isSettled = digest === view.assignment?.value.digest
  const inputs: AssignmentInputs = {
    available,
    total,
    strategy,
    staticSharding,
    isSettled,
    now,
  }
  const { owners, moving } = assign(view, inputs)
  return { owners, assignment: { digest, owners: withRunning(view, owners), moving } }
}

/** `first`: parts to commit before the moves, or together with them. */
export function commit(
  view: JobView,
  me: Member,
  reason: ReshardingReason,
  { owners, assignment }: Resharding,
  first: readonly (readonly TransactionPart[])[] = [],
): ReshardingDecision {
  const { changes, moved } = shardChanges(view, me, owners)
  if (view.necessary !== undefined) changes.push([part.delete(me.paths.necessary)])
  if (view.processing) changes.push([part.delete(me.paths.processing)])
  const parts = inTransactions(view, me, [...first, ...changes], assignment)
  return { do: 'commit', reason, parts, assignment, moved }
}

/** Surplus shards that still run keep their owner until their run ends. */
function withRunning(view: JobView, owners: readonly string[]): (string | undefined)[] {
  const all: (string | undefined)[] = [...owners]
  for (const [shard, { running }] of view.shards) {
    if (shard >= owners.length && running) all[shard] = ownerOf(view, shard)
  }
  return Array.from(all)
}

/** The changes to the nodes of each shard. */
function shardChanges(
  view: JobView,
  me: Member,
  owners: readonly string[],
): { changes: TransactionPart[][]; moved: number } {
  const { paths } = me
  const changes: TransactionPart[][] = []
  let moved = 0
  if (!view.folders.has('sharding')) changes.push([part.create(paths.shards)])
  for (const [shard, owner] of owners.entries()) {
    const nodes = view.shards.get(shard)
    if (nodes === undefined) {
      changes.push([part.create(paths.shard(shard)), part.create(paths.owner(shard), owner)])
    } else if (!nodes.hasOwner) changes.push([part.create(paths.owner(shard), owner)])
    else if (ownerOf(view, shard) === owner) continue
    else changes.push([part.set(paths.owner(shard), owner)])
    moved += 1
  }
  for (const [shard, nodes] of view.shards) {
    if (shard < owners.length || nodes.running) continue
    const marks = shardMarks.filter((mark) => Boolean(nodes[mark]))
    changes.push([
      ...marks.map((mark) => part.delete(paths.mark(shard, mark))),
      ...(nodes.hasOwner ? [part.delete(paths.owner(shard))] : []),
      part.delete(paths.shard(shard)),
    ])
  }
  return { changes, moved }
}

/**
 * One transaction if it fits; else several, each of which checks that this instance still leads. The first of several
 * stores the shards that move as shards without a known owner, and only the last stores the new owners. So an
 * interrupted resharding is needed again, even if the inputs return to their former values, and repeats every change.
 */
function inTransactions(
  view: JobView,
  me: Member,
  changes: readonly (readonly TransactionPart[])[],
  assignment: StoredAssignment,
): TransactionPart[][] {
  const first = encodeAssignment(underWay(view, assignment))
  const last = encodeAssignment(assignment)
  const assignmentBytes = Math.max(Buffer.byteLength(first), Buffer.byteLength(last))
  const checkBytes = bytesOf([...leaderChecks(view, me), ...stateCheck(view, me)])
  const room = maximumBytes - checkBytes - assignmentBytes - 1024
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
  const version = view.assignment?.version ?? 0
  const path = me.paths.assignment
  return bundles.map((bundle, index) => {
    const begun = version + Math.min(index, 1)
    const isLast = index === bundles.length - 1
    const step = isLast
      ? part.set(path, last, begun)
      : index === 0
        ? part.set(path, first, begun)
        : part.check(path, begun)
    // The job state decides whether the servers that shards leave have to be recorded.
    const checks = [part.check(me.paths.leaderInstance, ourLeaderVersion), ...stateCheck(view, me)]
    return [...checks, step, ...bundle]
  })
}

/** The assignment to store while only some of the changes are committed. */
function underWay(view: JobView, { owners }: StoredAssignment): StoredAssignment {
  return {
    ...noAssignment,
    owners: owners.map((owner, shard) => (ownerOf(view, shard) === owner ? owner : undefined)),
  }
}
