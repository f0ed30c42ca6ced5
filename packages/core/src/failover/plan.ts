/**
 * What a crashed instance has left unfinished, and who takes it over. A run has crashed if its state says that it runs
 * and its instance is dead, whatever the marks say; one whose end was committed is never run again.
 */
import { leaderChecks } from '../election/plan.ts'
import type { CrashedRun } from '../events.ts'
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

/** For so long a waiting shard is somebody's by rank; then it is anybody's. */
const turn = 2000

export function isCrashed(view: JobView, shardState: ShardState): boolean {
  return shardState.state === 'running' && isDead(view, shardState.instance)
}

/**
 * Shards that a dead instance may have left: all of them, whatever their marks say. The mark of a run that began while
 * failover was off went with its session, and only the state still speaks of it.
 */
export function suspects(view: JobView): number[] {
  return [...view.shards.keys()]
}

/** A run that its instance has left, as events name it. */
export function crashedRun(jobName: string, shard: number, shardState: ShardState): CrashedRun {
  const {
    run: runId,
    instance,
    source,
    attempt,
    fireTime,
    round: manualRun,
    begin: claimedAt,
  } = shardState
  return {
    jobName,
    shardingItem: shard,
    runId,
    instance,
    source,
    attempt,
    fireTime,
    manualRun,
    claimedAt,
  }
}

export interface CrashPlan {
  /** Begun too often: it is given up until its next time. */
  readonly isAbandoned: boolean
  /** The state as it will be. */
  readonly shardState: ShardState
  /** Fire times to report once the plan is carried out. */
  readonly reported: readonly PassedFires[]
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
  shard: number,
  shardState: Versioned<ShardState>,
  settings: CrashSettings,
): CrashPlan {
  const { paths } = me
  const nodes = view.shards.get(shard)
  // A body that kills its process must not kill the fleet, one instance after the other.
  const isAbandoned =
    shardState.value.attempt >= settings.maximumAttempts || isDoneByJava(view, shard, nodes)
  const { begin } = shardState.value
  // What the crashed instance was to report with its claim it may not have reported.
  const reported = shardState.value.report ?? []
  const report = reportOf(reported)
  const crashed: ShardState = isAbandoned
    ? // It has not gone on until now: what was scheduled since is to be run.
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

/** In a mixed job whoever holds Java's latch may judge, in a pure one the leader. */
function rightChecks(view: JobView, me: Member, latchNode: string | undefined): TransactionPart[] {
  return latchNode === undefined ? leaderChecks(view, me) : [part.check(latchNode)]
}

/** Java knows no states: it may have taken the run over by now, or be running it. */
function isSeenTo(view: JobView, nodes: ShardNodes | undefined): boolean {
  return [nodes?.failover, nodes?.runner].some((one) => one !== undefined && !isDead(view, one))
}

/**
 * With failover on the mark of a run stays when its instance dies. In a mixed job one that is gone was
 * taken over, and ended, by Java: nobody else takes it away, and nothing that waits is left of it.
 */
function isDoneByJava(view: JobView, shard: number, nodes: ShardNodes | undefined): boolean {
  if (!isMixed(view) || view.failoverShards.has(shard)) return false
  const { running, failover, failovering } = nodes ?? {}
  return running !== true && failover === undefined && failovering === undefined
}

/** Java may have made it already. */
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
  /** The waiting shards that are this instance's to take now. */
  readonly shards: readonly number[]
  /** When further ones will be. */
  readonly until: number | undefined
}

/** The instances that may take over what has crashed, in rank order; a paused server takes over nothing. */
export function takeoverCandidates(view: JobView): string[] {
  const jobState = view.jobState?.value ?? noJobState
  return availableInstances(view).filter(
    (instance) => !isJavaInstance(instance) && !isPaused(jobState, serverOf(instance)),
  )
}

/**
 * By rank, not by race: the k-th waiting shard belongs to the (k mod m)-th candidate for a while, then to any of them.
 * `seen`: since when this instance knows of each.
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
 * In a mixed job: whether somebody who lives runs the shard. Java pays no heed to what waits to be taken over when it
 * runs what it owns, and its mark is all that says so.
 */
export function isRunByAnother(view: JobView, shard: number): boolean {
  const nodes = view.shards.get(shard)
  if (!view.readsOwners || nodes?.running !== true) return false
  return nodes.runner === undefined || !isDead(view, nodes.runner)
}

/** In a mixed job an instance of ours holds one at most: Java fires once for each that it sees. */
export function holdsOne(view: JobView, { instance }: Member): boolean {
  for (const { failover } of view.shards.values()) if (failover === instance) return true
  return false
}

export interface TakeSettings {
  readonly now: number
  readonly runId: string
  readonly nextFireTime: number | undefined
  /** Fire times that are reported with the take: they are not due any more. */
  readonly gone: readonly PassedFires[]
  /** In a mixed job: our node in Java's latch, which we have to hold. */
  readonly latchNode?: string | undefined
}

export interface TakePlan {
  readonly shardState: ShardState
  readonly operations: readonly TransactionPart[]
}

/** One transaction takes a shard over and marks it as running: nobody sees a state in between. */
export function planTake(
  view: JobView,
  me: Member,
  shard: number,
  shardState: Versioned<ShardState>,
  settings: TakeSettings,
): TakePlan {
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

/** Whether a waiting shard's state allows it to be taken: what was completed is never run again. */
export function isTakeable(view: JobView, shardState: ShardState): boolean {
  return shardState.state === 'crashed' || isCrashed(view, shardState)
}

/**
 * Whether a waiting mark without a crashed run may go now. While the shard runs its state belongs to the run: a
 * dismissal would raise its version, and the registry would refuse the end of the run.
 */
export function isDismissible(view: JobView, shardState: ShardState | undefined): boolean {
  return (
    shardState === undefined || (shardState.state !== 'running' && !isTakeable(view, shardState))
  )
}

/** A waiting shard whose run is not one to be repeated: the mark goes, and nothing else. */
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
    // A shard without a state gets one: a run that began and crashed meanwhile would lose its waiting mark.
    shardState === undefined
      ? part.create(path, encodeShardState(neverRun))
      : part.set(path, encodeShardState(shardState.value), shardState.version),
    part.delete(paths.failoverShard(shard)),
  ]
}

/**
 * Failover was switched off: all its marks go, so that switching it on again begins afresh. Java leaves them, and does
 * not look at them while it is off; for us a shard that was taken over is not to be run. `latchNode`: in a mixed job,
 * our node in Java's latch, which we have to hold, whoever leads.
 */
export function planClearing(view: JobView, me: Member, latchNode?: string): TransactionPart[] {
  const operations: TransactionPart[] = []
  for (const shard of view.failoverShards)
    operations.push(part.delete(me.paths.failoverShard(shard)))
  for (const [shard, nodes] of view.shards) {
    for (const mark of ['failover', 'failovering'] as const) {
      const by = nodes[mark]
      // What is being run by a living taker ends by itself, and takes its marks along.
      if (by !== undefined && (isDead(view, by) || !nodes.running)) {
        operations.push(part.delete(me.paths.mark(shard, mark)))
      }
    }
  }
  if (operations.length === 0) return []
  return [...rightChecks(view, me, latchNode), ...operations]
}
