/** Where a run starts and where it ends: one transaction each, which sets the shard state. */
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
  /** The version of `sharding/{i}/instance` at which it named us. */
  readonly ownerVersion: number
  /** When `sharding/{i}` came into being. */
  readonly created: number
  /** Undefined if the shard never had a state. */
  readonly shardState: ShardState | undefined
  /** Negative if the state is not stored. */
  readonly stateVersion: number
}

export interface ClaimSettings {
  readonly failover: boolean
  readonly now: number
  readonly runId: string
  readonly nextFireTime: number | undefined
  /** Fire times that are reported with the claim: they are not due any more. */
  readonly gone: readonly PassedFires[]
}

export interface ClaimPlan {
  readonly shardState: ShardState
  readonly operations: readonly TransactionPart[]
}

/** One claim: it succeeds for one of all who try, and only while everything it was planned on holds. */
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
  // Key by key and always in the same shape, here and at the end: it is made for every run.
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
  }
  const running = paths.mark(shard, 'running')
  const operations: TransactionPart[] = [
    ...stateCheck(view, me),
    part.check(paths.instance(me.instance)),
    part.check(paths.owner(shard), owned.ownerVersion),
  ]
  // A mark of a dead instance may be left: its run is over, and the state says whose it was.
  if (nodes?.running === true) operations.push(part.delete(running))
  operations.push(
    settings.failover ? part.create(running, me.instance) : part.ephemeral(running, me.instance),
  )
  if (nodes?.misfire === true) operations.push(part.delete(paths.mark(shard, 'misfire')))
  operations.push(...setState(me, owned, shardState))
  return { shardState, operations }
}

/** One that is not stored is created and then set, so that the answer has a stat: its zxid is the fencing token. */
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

/** What is gone with a scheduled run lies before its time; of others only this tells it. */
function sinceOf(before: ShardState, due: Due, gone: readonly PassedFires[]): number | undefined {
  return due.source === 'trigger' ? sinceReported(before.since, gone) : before.since
}

export interface Ending {
  readonly outcome: RunOutcome
  readonly error: string | undefined
  /** It was aborted and is to be run again by somebody else: failover is on. */
  readonly handOver: boolean
  /** The state as it was before the claim: of a run that never started, nothing counts. */
  readonly before: ShardState
  readonly now: number
}

/** What is kept of an error in the registry; the whole of it is in the event. */
const errorLength = 500

/** The end of a run, whatever came of it: a mark that stays would silence the shard for ever. */
export function planEnd(
  view: JobView,
  me: Member,
  owned: OwnedShard & { readonly shardState: ShardState },
  ending: Ending,
): ClaimPlan {
  const { shard } = owned
  const nodes = view.shards.get(shard)
  const { shardState: claimed } = owned
  // What makes a time or a manual run due: with what was before back in place, it is due again.
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
    // What the claim has reported was reported when the run began.
    ...(ending.outcome === 'not-started'
      ? { report: ending.before.report, unreported: ending.before.unreported }
      : {}),
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

/** An offset as the registry has it. */
export interface SavedOffset {
  readonly value: string
  /** The version of its node. */
  readonly version: number
}

/**
 * Saves an offset, as long as the run is still the shard's and the offset before it the last. So a write that
 * reaches the registry late, after its connection was lost, never replaces a later one. `stateVersion`: of the
 * shard's state since the claim; undefined with monitorExecution off, where nothing is claimed.
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
