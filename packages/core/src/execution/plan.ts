/**
 * Every decision about one run: the obstacles to its claim, the claim, the check behind the claim, and the end. Claim
 * and end are one transaction each, which sets the shard state.
 */
import type { RunOutcome } from '../events.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import {
  encodeShardState,
  type ShardState,
  neverRun,
  type PassedFires,
} from '../job-tree/shard-state.ts'
import { isDead, type ShardNodes, type JobView, stateCheck } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import {
  part,
  read,
  type ReadPart,
  type ReadResult,
  toText,
  type TransactionPart,
} from '../registry/transaction.ts'
import { reportOf, sinceReported } from '../fire-times/account.ts'
import type { Due } from '../fire-times/due.ts'

/** A shard that this instance owns, as it was last read or written. */
export interface OwnedShard {
  readonly shard: number
  /** The version of `sharding/{i}/instance` that names this instance. */
  readonly ownerVersion: number
  /** When `sharding/{i}` was created. */
  readonly created: number
  /** Undefined if the shard never had a state. */
  readonly shardState: ShardState | undefined
  /** Negative if the registry has no shard state. */
  readonly stateVersion: number
}

/** Why a due shard cannot be claimed now. An event announces the end of each obstacle. */
export type Obstacle = 'disabled' | 'running' | 'waiting for failover' | 'taken over' | 'flagged'

/** The obstacle that the replica shows; undefined if the shard can be claimed. */
export function obstacleTo(
  view: JobView,
  { shard, shardState }: OwnedShard,
  { mixed, failover }: { readonly mixed: boolean; readonly failover: boolean },
): Obstacle | undefined {
  const nodes = view.shards.get(shard)
  if (nodes?.disabled === true) return 'disabled'
  if (view.failoverShards.has(shard)) return 'waiting for failover'
  // No instance has marked the crashed run for failover yet. A new claim would overwrite its state and lose the run.
  if (failover && shardState?.state === 'running' && isDead(view, shardState.instance)) {
    return 'waiting for failover'
  }
  if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) return 'taken over'
  if (isRunning(view, nodes, shardState, mixed)) return 'running'
  // A Java leader reshards only when no shard runs. New claims would delay it forever.
  if (mixed && (view.necessary !== undefined || view.processing)) return 'flagged'
  return undefined
}

/** The shard state records native runs. A running mark without such a state belongs to a run of another instance. */
function isRunning(
  view: JobView,
  nodes: ShardNodes | undefined,
  shardState: ShardState | undefined,
  mixed: boolean,
): boolean {
  if (shardState?.state === 'running' && !isDead(view, shardState.instance)) return true
  if (nodes?.running !== true) return false
  // Java's runs have no shard state; the mark names their instance. The mark of a dead instance does not count, because
  // it would block the shard forever if no instance deletes it.
  if (mixed) return nodes.runner === undefined || !isDead(view, nodes.runner)
  return shardState?.state !== 'running'
}

export interface ClaimSettings {
  readonly failover: boolean
  readonly now: number
  readonly runId: string
  readonly nextFireTime: number | undefined
  /** Fire times that are reported as missed with the claim. They are not due any more. */
  readonly gone: readonly PassedFires[]
}

/** One transaction about a shard, and the shard state that it writes. */
export interface ShardPlan {
  readonly shardState: ShardState
  readonly operations: readonly TransactionPart[]
}

/**
 * Plans a claim. If several instances claim the shard, one claim succeeds, and only while everything that the plan is
 * based on still holds.
 */
export function planClaim(
  view: JobView,
  me: Member,
  owned: OwnedShard,
  due: Due,
  settings: ClaimSettings,
): ShardPlan {
  const { paths } = me
  const { shard } = owned
  const nodes = view.shards.get(shard)
  const before = owned.shardState ?? neverRun
  // Every run creates this object. Listing the keys in the same order here and in `planEnd` keeps one object shape.
  const shardState: ShardState = {
    state: 'running',
    run: settings.runId,
    instance: me.instance,
    // A manual run leaves the fire time alone.
    fireTime: due.source === 'trigger' ? before.fireTime : due.fireTime,
    source: due.source,
    attempt: 1,
    round: due.source === 'trigger' ? due.round.id : before.round,
    begin: settings.now,
    end: 0,
    nextFireTime: settings.nextFireTime ?? 0,
    // Fire times missed with a scheduled run lie before its fire time, which accounts for them. For a manual run only
    // `since` does.
    since: due.source === 'trigger' ? sinceReported(before.since, settings.gone) : before.since,
    report: reportOf(settings.gone),
    // A manual run accounts for no fire time: which pauses apply to the open ones still has to be known.
    formerServers: due.source === 'trigger' ? before.formerServers : undefined,
  }
  const running = paths.mark(shard, 'running')
  const operations: TransactionPart[] = [
    ...stateCheck(view, me),
    part.check(paths.instance(me.instance)),
    part.check(paths.owner(shard), owned.ownerVersion),
  ]
  // A dead instance may have left its mark. Its run is over, and the shard state names the instance.
  if (nodes?.running === true) operations.push(part.delete(running))
  operations.push(
    settings.failover ? part.create(running, me.instance) : part.ephemeral(running, me.instance),
  )
  if (nodes?.misfire === true) operations.push(part.delete(paths.mark(shard, 'misfire')))
  operations.push(...setState(me, owned, shardState))
  return { shardState, operations }
}

/** A missing shard state is created and then set, so that the answer contains a stat. Its zxid is the fencing token. */
function setState(
  { paths }: Member,
  { shard, stateVersion }: OwnedShard,
  shardState: ShardState,
): TransactionPart[] {
  const path = paths.shardState(shard)
  const data = encodeShardState(shardState)
  return stateVersion >= 0
    ? [part.set(path, data, stateVersion)]
    : [part.create(path), part.set(path, data, 0)]
}

/**
 * The reads that follow a committed claim in mixed mode. Java deletes and recreates the owner node, so the version of
 * that node proves nothing. Java also checks none of the nodes that native instances write.
 */
export function readsBehindClaim({ paths }: Member, shard: number): ReadPart[] {
  return [
    read.get(paths.owner(shard)),
    read.get(paths.necessary),
    read.get(paths.processing),
    read.get(paths.mark(shard, 'failover')),
    read.get(paths.nextInstanceIp),
  ]
}

/** Re-checks the owner, the resharding flags, the failover owner and the turn after the claim committed. */
export function stillHolds(
  { instance, ip }: Member,
  { ownerCzxid, byTurn }: { readonly ownerCzxid: bigint; readonly byTurn: boolean },
  [owner, necessary, processing, failover, turn]: readonly ReadResult[],
): boolean {
  if (owner === undefined || !('data' in owner) || owner.stat.czxid !== ownerCzxid) return false
  if (!isAbsent(necessary) || !isAbsent(processing)) return false
  if (!isAbsent(failover) && textOf(failover) !== instance) return false
  return byTurn ? textOf(turn) === ip : toText(owner.data) === instance
}

/** The reads that follow the committed takeover of a crashed run. */
export function readsBehindTake({ paths }: Member): ReadPart[] {
  return [read.children(paths.instances), read.get(paths.necessary), read.get(paths.processing)]
}

/**
 * Whether a run that was taken over may start. `mixed`: the mode that the plan assumed. In native mode a Java instance
 * that joined since the plan would take the shard over a second time.
 */
export function takeStillHolds(
  [instances, necessary, processing]: readonly ReadResult[],
  mixed: boolean,
): boolean {
  if (instances === undefined || !('children' in instances)) return false
  if (!mixed) return !instances.children.some(isJavaInstance)
  return isAbsent(necessary) && isAbsent(processing)
}

/** A failed read does not prove that the node is absent. */
function isAbsent(result: ReadResult | undefined): boolean {
  return result !== undefined && 'error' in result && result.error.code === 'REGISTRY_NO_NODE'
}

function textOf(result: ReadResult | undefined): string | undefined {
  return result !== undefined && 'data' in result ? toText(result.data) : undefined
}

export interface Ending {
  readonly outcome: RunOutcome
  readonly error: string | undefined
  /** The run was aborted, and failover is on: another instance has to run the shard again. */
  readonly handOver: boolean
  /** The state before the claim. It is restored for a run that never started. */
  readonly before: ShardState
  readonly now: number
}

/** How much of an error the registry keeps. The event contains all of it. */
const errorLength = 500

/** Plans the end of a run with any outcome. A mark that stays would block the shard forever. */
export function planEnd(
  view: JobView,
  me: Member,
  owned: OwnedShard & { readonly shardState: ShardState },
  ending: Ending,
): ShardPlan {
  const { shard } = owned
  const nodes = view.shards.get(shard)
  const { shardState: claimed } = owned
  // These fields decide what is due. Restoring the values from before the claim makes the fire time or manual run due
  // again.
  const counts = ending.outcome === 'not-started' ? ending.before : claimed
  const shardState: ShardState = {
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
    // The fire times in the claim's report were reported when the run started.
    ...(ending.outcome === 'not-started'
      ? { report: ending.before.report, unreported: ending.before.unreported }
      : {}),
    formerServers: counts.formerServers,
    error: ending.error?.slice(0, errorLength),
  }
  const operations: TransactionPart[] = []
  if (nodes?.running === true) operations.push(part.delete(me.paths.mark(shard, 'running')))
  if (nodes?.failover === me.instance)
    operations.push(part.delete(me.paths.mark(shard, 'failover')))
  if (nodes?.failovering === me.instance) {
    operations.push(part.delete(me.paths.mark(shard, 'failovering')))
  }
  if (ending.handOver && !view.failoverShards.has(shard)) {
    operations.push(part.create(me.paths.failoverShard(shard)))
  }
  operations.push(...setState(me, owned, shardState))
  return { shardState, operations }
}
