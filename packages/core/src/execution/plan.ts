/** Plans the start and the end of a run. Each is one transaction that sets the shard state. */
import type { RunOutcome } from '../events.ts'
import {
  encodeShardState,
  type ShardState,
  neverRun,
  type PassedFires,
} from '../job-tree/shard-state.ts'
import { type JobView, stateCheck } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
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

export interface ClaimSettings {
  readonly failover: boolean
  readonly now: number
  readonly runId: string
  readonly nextFireTime: number | undefined
  /** Fire times that are reported as missed with the claim. They are not due any more. */
  readonly gone: readonly PassedFires[]
}

export interface ClaimPlan {
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
): ClaimPlan {
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
    since: sinceOf(before, due, settings.gone),
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
 * Fire times missed with a scheduled run lie before its fire time, so `fireTime` accounts for them. For a manual run
 * only `since` does.
 */
function sinceOf(before: ShardState, due: Due, gone: readonly PassedFires[]): number | undefined {
  return due.source === 'trigger' ? sinceReported(before.since, gone) : before.since
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
): ClaimPlan {
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

/** An offset as the registry stores it. */
export interface SavedOffset {
  readonly value: string
  /** The version of the offset node. */
  readonly version: number
}

/**
 * Saves an offset if the run still holds the shard and `before` is still the last offset. So a write that reaches the
 * registry late, after its connection was lost, never replaces a later offset. `stateVersion`: the version of the shard
 * state since the claim; undefined without monitorExecution, where there is no claim.
 */
export function planOffset(
  me: Member,
  shard: number,
  stateVersion: number | undefined,
  offset: string,
  before: SavedOffset | undefined,
): TransactionPart[] {
  const path = me.paths.offset(shard)
  return [
    ...(stateVersion === undefined ? [] : [part.check(me.paths.shardState(shard), stateVersion)]),
    before === undefined ? part.create(path, offset) : part.set(path, offset, before.version),
  ]
}
