/**
 * Plans the failover of crashed runs. A run has crashed if its shard state is running and its instance is dead,
 * regardless of the marks. A run whose end was committed is never run again.
 */
import { leaderChecks } from '../election/plan.ts'
import type { ShardPlan, ClaimSettings } from '../execution/plan.ts'
import { reportOf, sinceReported } from '../fire-times/account.ts'
import {
  availableInstances,
  isDead,
  isMixed,
  type JobView,
  type ShardNodes,
  stateCheck,
  type Versioned,
} from '../job-tree/job-view.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import {
  encodeShardState,
  type ShardState,
  neverRun,
  type PassedFires,
} from '../job-tree/shard-state.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { formerServersOf } from '../sharding/former-servers.ts'

/** For this long a waiting shard is reserved for one candidate by rank. Then every candidate may take it. */
const turn = 2000

export function isCrashed(view: JobView, shardState: ShardState): boolean {
  return shardState.state === 'running' && isDead(view, shardState.instance)
}

/**
 * Shards that may contain a crashed run: all of them, regardless of their marks. The mark of a run that started while
 * failover was off is ephemeral and gone, and only the shard state still records the run.
 */
export function suspects(view: JobView): number[] {
  return [...view.shards.keys()]
}

export interface CrashPlan extends ShardPlan {
  /** The run has reached the maximum attempts, or Java has completed it. It is not repeated. */
  readonly isAbandoned: boolean
  /** Missed fire times to report once the plan is committed. */
  readonly reported: readonly PassedFires[]
}

export interface CrashSettings {
  /** How often a run may be attempted; 0 if no instance may take it over. */
  readonly maximumAttempts: number
  readonly now: number
  /**
   * In mixed mode: the node of this instance in Java's latch. This instance has to hold the latch, regardless of the
   * leader.
   */
  readonly latchNode?: string | undefined
}

/** Marks a crashed run for failover, or abandons it. */
export function planCrash(
  view: JobView,
  me: Member,
  shard: number,
  shardState: Versioned<ShardState>,
  settings: CrashSettings,
): CrashPlan {
  const { paths } = me
  const nodes = view.shards.get(shard)
  // A job body that crashes its process must not crash one instance after the other.
  const isAbandoned =
    shardState.value.attempt >= settings.maximumAttempts || isDoneByJava(view, shard, nodes)
  const { begin } = shardState.value
  // The crashed instance may not have reported the missed fire times of its claim.
  const reported = shardState.value.report ?? []
  const report = reportOf(reported)
  const crashed: ShardState = isAbandoned
    ? // An abandoned run ends at its start and not now, so that fire times since then are still due.
      { ...shardState.value, report, state: 'abandoned', end: begin }
    : { ...shardState.value, report, state: 'crashed', end: settings.now }
  return {
    isAbandoned,
    shardState: crashed,
    reported,
    operations: [
      ...rightChecks(view, me, settings.latchNode),
      part.set(paths.shardState(shard), encodeShardState(crashed), shardState.version),
      ...(isSeenTo(view, nodes)
        ? []
        : [
            ...(nodes?.running === true ? [part.delete(paths.mark(shard, 'running'))] : []),
            ...marksOfDead(view, me, shard),
            ...waitingMark(view, me, shard, !isAbandoned),
          ]),
    ],
  }
}

/** In mixed mode the holder of Java's latch decides, in native mode the leader. */
function rightChecks(view: JobView, me: Member, latchNode: string | undefined): TransactionPart[] {
  return latchNode === undefined ? leaderChecks(view, me) : [part.check(latchNode)]
}

/**
 * Whether a live instance runs the shard or has taken it over. Java does not read shard states, so a Java instance may
 * have taken the run over.
 */
function isSeenTo(view: JobView, nodes: ShardNodes | undefined): boolean {
  return [nodes?.failover, nodes?.runner].some((one) => one !== undefined && !isDead(view, one))
}

/**
 * Whether Java has already taken the run over and completed it. With failover on, the running mark outlives its
 * instance. In mixed mode only Java deletes that mark, at the end of its takeover; then no waiting mark is left either.
 */
function isDoneByJava(view: JobView, shard: number, nodes: ShardNodes | undefined): boolean {
  if (!isMixed(view) || view.failoverShards.has(shard)) return false
  const { running, failover, failovering } = nodes ?? {}
  return running !== true && failover === undefined && failovering === undefined
}

/** Creates or deletes the waiting mark. Java may have created it already. */
function waitingMark(
  view: JobView,
  { paths }: Member,
  shard: number,
  isWanted: boolean,
): TransactionPart[] {
  if (view.failoverShards.has(shard) === isWanted) return []
  const path = paths.failoverShard(shard)
  return [isWanted ? part.create(path) : part.delete(path)]
}

function marksOfDead(view: JobView, me: Member, shard: number): TransactionPart[] {
  const nodes = view.shards.get(shard)
  return (['failover', 'failovering'] as const)
    .filter((mark) => nodes?.[mark] !== undefined && isDead(view, nodes[mark]))
    .map((mark) => part.delete(me.paths.mark(shard, mark)))
}

export interface Turns {
  /** The waiting shards that this instance may take now. */
  readonly shards: readonly number[]
  /** When this instance may take further shards. */
  readonly until: number | undefined
}

/** The instances that may take over crashed runs, in rank order. Instances on a paused server are excluded. */
export function takeoverCandidates(view: JobView): string[] {
  const jobState = view.jobState?.value ?? noJobState
  return availableInstances(view).filter(
    (instance) => !isJavaInstance(instance) && !isPaused(jobState, serverOf(instance)),
  )
}

/**
 * Assigns waiting shards by rank to avoid races. The k-th waiting shard is reserved for the (k mod m)-th candidate at
 * first, then every candidate may take it. `seen`: since when this instance knows of each waiting shard.
 */
export function takeoverShards(
  view: JobView,
  me: Member,
  total: number,
  now: number,
  seen: ReadonlyMap<number, number>,
): Turns {
  const candidates = takeoverCandidates(view)
  const rank = candidates.indexOf(me.instance)
  if (rank === -1) return { shards: [], until: undefined }
  const waiting = [...view.failoverShards]
    .filter((shard) => shard < total)
    .toSorted((a, b) => a - b)
  const shards: number[] = []
  let until: number | undefined
  for (const [place, shard] of waiting.entries()) {
    const nodes = view.shards.get(shard)
    if (nodes?.disabled === true || isRunByAnother(view, shard)) continue
    if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) continue
    const freeFrom = (seen.get(shard) ?? now) + turn
    if (place % candidates.length === rank || now >= freeFrom) shards.push(shard)
    else until = Math.min(until ?? Infinity, freeFrom)
  }
  return { shards, until }
}

/**
 * In mixed mode: whether a live instance runs the shard. Java runs the shards it owns even if they wait for failover,
 * and only its mark shows that.
 */
export function isRunByAnother(view: JobView, shard: number): boolean {
  const nodes = view.shards.get(shard)
  if (!view.readsOwners || nodes?.running !== true) return false
  return nodes.runner === undefined || !isDead(view, nodes.runner)
}

/**
 * In mixed mode a native instance takes over at most one shard at a time: Java fires once for each failover mark that
 * it sees.
 */
export function holdsOne(view: JobView, { instance }: Member): boolean {
  for (const { failover } of view.shards.values()) if (failover === instance) return true
  return false
}

export interface TakeSettings extends Omit<ClaimSettings, 'failover'> {
  /** In mixed mode: the node of this instance in Java's latch. This instance has to hold the latch. */
  readonly latchNode?: string | undefined
}

/** Takes a shard over and marks it as running in one transaction, so that no instance sees an intermediate state. */
export function planTake(
  view: JobView,
  me: Member,
  shard: number,
  shardState: Versioned<ShardState>,
  settings: TakeSettings,
): ShardPlan {
  const { paths } = me
  const nodes = view.shards.get(shard)
  const taken: ShardState = {
    ...shardState.value,
    state: 'running',
    run: settings.runId,
    instance: me.instance,
    attempt: shardState.value.attempt + 1,
    begin: settings.now,
    end: 0,
    nextFireTime: settings.nextFireTime ?? 0,
    since: sinceReported(shardState.value.since, settings.gone),
    report: reportOf(settings.gone),
    formerServers: formerServersOf(view, shard, shardState.value, settings.now),
  }
  const { outcome: _, error: __, unreported: ___, ...fresh } = taken
  const running = paths.mark(shard, 'running')
  const left = (['failover', 'failovering'] as const).filter((mark) => nodes?.[mark] !== undefined)
  return {
    shardState: fresh,
    operations: [
      ...stateCheck(view, me),
      ...(settings.latchNode === undefined ? [] : [part.check(settings.latchNode)]),
      part.check(paths.instance(me.instance)),
      part.delete(paths.failoverShard(shard)),
      ...left.map((mark) => part.delete(paths.mark(shard, mark))),
      part.ephemeral(paths.mark(shard, 'failover'), me.instance),
      part.create(paths.mark(shard, 'failovering'), me.instance),
      ...(nodes?.running === true ? [part.delete(running)] : []),
      part.create(running, me.instance),
      part.set(paths.shardState(shard), encodeShardState(fresh), shardState.version),
    ],
  }
}

/** Whether the state of a waiting shard allows a takeover. A completed run is never run again. */
export function isTakeable(view: JobView, shardState: ShardState): boolean {
  return shardState.state === 'crashed' || isCrashed(view, shardState)
}

/**
 * Whether a waiting mark without a crashed run may be deleted now. While the shard runs, its state belongs to the run:
 * a dismissal would raise the version, and the registry would refuse the end of the run.
 */
export function isDismissible(view: JobView, shardState: ShardState | undefined): boolean {
  return (
    shardState === undefined || (shardState.state !== 'running' && !isTakeable(view, shardState))
  )
}

/** Deletes the waiting mark of a shard that has no run to repeat. The shard state keeps its value. */
export function planDismissal(
  view: JobView,
  me: Member,
  shard: number,
  shardState: Versioned<ShardState> | undefined,
): TransactionPart[] {
  const { paths } = me
  const path = paths.shardState(shard)
  return [
    ...stateCheck(view, me),
    // A shard without a state gets one, so that the dismissal fails if a run started and crashed in the meantime.
    // Otherwise that run would lose its waiting mark.
    shardState === undefined
      ? part.create(path, encodeShardState(neverRun))
      : part.set(path, encodeShardState(shardState.value), shardState.version),
    part.delete(paths.failoverShard(shard)),
  ]
}

/**
 * Deletes all failover marks after failover was disabled, so that enabling it again starts clean. Java leaves the marks
 * and ignores them while failover is off; native instances do not run a shard with a failover mark. `latchNode`: in
 * mixed mode, the node of this instance in Java's latch. This instance has to hold the latch, regardless of the leader.
 */
export function planClearing(view: JobView, me: Member, latchNode?: string): TransactionPart[] {
  const operations: TransactionPart[] = []
  for (const shard of view.failoverShards)
    operations.push(part.delete(me.paths.failoverShard(shard)))
  for (const [shard, nodes] of view.shards) {
    for (const mark of ['failover', 'failovering'] as const) {
      const by = nodes[mark]
      // A run that a live instance has taken over deletes its own marks when it ends.
      if (by !== undefined && (isDead(view, by) || !nodes.running)) {
        operations.push(part.delete(me.paths.mark(shard, mark)))
      }
    }
  }
  if (operations.length === 0) return []
  return [...rightChecks(view, me, latchNode), ...operations]
}
