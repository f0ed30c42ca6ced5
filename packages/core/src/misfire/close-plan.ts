/**
 * Plans that close fire times which no instance can run any more. Closing moves the shard state past them, so that no
 * instance runs a fire time after it was reported.
 */
import { hasJavaLeader } from '../election/deputy.ts'
import {
  type AccountContext,
  type CountedShard,
  passedForGood,
  reportOf,
  sinceReported,
} from '../fire-times/account.ts'
import { type JobView, stateCheck, type Versioned } from '../job-tree/job-view.ts'
import type { DisabledPeriod } from '../job-tree/disabled-periods.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import {
  encodeShardState,
  type ShardState,
  neverRun,
  type PassedFires,
} from '../job-tree/shard-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { ownerOf } from '../sharding/needs.ts'
import { reasonFor } from './plan.ts'

/** Waits this long after the window ends: an instance whose clock is slightly behind may still claim the fire time. */
export const clockTolerance = 1000

/** A shard with the nodes that its account needs. */
export interface ReadShard {
  readonly shard: number
  /** Undefined if the shard has no state yet. */
  readonly shardState: Versioned<ShardState> | undefined
  /** When `sharding/{i}` was created; undefined if the node does not exist. */
  readonly created: number | undefined
  /** Since when the shard is disabled. */
  readonly disabled: number | undefined
  /** The last periods in which the shard was disabled, as far as this instance has seen them. */
  readonly wasDisabled: readonly DisabledPeriod[]
}

export interface CloseContext extends AccountContext {
  readonly total: number
  /** No fire time up to this moment is due for any shard. */
  readonly cut: number
}

export interface ClosePlan {
  readonly shard: number
  readonly shardState: ShardState
  /** Fire times to report after the plan is committed. */
  readonly reported: readonly PassedFires[]
  readonly operations: readonly TransactionPart[]
}

/** Closes the fire times that did not run before the shard moved to a Java instance; undefined if there are none. */
export function planLostClose(
  view: JobView,
  me: Member,
  read: ReadShard,
  since: number,
  context: CloseContext,
): ClosePlan | undefined {
  if (read.shardState === undefined || isUnderWay(read.shardState.value)) return undefined
  const counted = countedShard(view, read)
  const reason = 'the shard went to a Java instance, which runs no earlier fire times'
  // `oldest` does not apply: from `since` on Java runs the shard and stores no shard state.
  const reported = passedForGood(counted, since - 1, { ...context, oldest: 0 }, reason)
  return closing(me, read, reported, [])
}

/** Undefined if there is nothing to report. */
export function planClose(
  view: JobView,
  me: Member,
  read: ReadShard,
  context: CloseContext,
): ClosePlan | undefined {
  const { shard, shardState: known } = read
  const before = known?.value ?? neverRun
  const isSurplus = shard >= context.total
  // No instance takes over a crashed run of a shard beyond the shard count.
  if (isUnderWay(before) && !(isSurplus && before.state === 'crashed')) return undefined
  const isOff = isSurplus || read.disabled !== undefined
  const cut = isOff ? context.now : context.cut
  const passed = isAccountable(view, read, context)
    ? passedForGood(countedShard(view, read), cut, context, reasonOf(view, read, context))
    : []
  const reported = [...(before.report ?? []), ...passed]
  // The leader may delete the state of a shard beyond the shard count, and sets the job state in the same transaction.
  return closing(me, read, reported, stateCheck(view, me))
}

/** The end of a run, or the failover of a crashed run, accounts for the fire times that passed during the run. */
function isUnderWay({ state }: ShardState): boolean {
  return state === 'running' || state === 'crashed'
}

function closing(
  me: Member,
  { shard, shardState: known }: ReadShard,
  reported: readonly PassedFires[],
  checks: readonly TransactionPart[],
): ClosePlan | undefined {
  if (reported.length === 0) return undefined
  const before = known?.value ?? neverRun
  const shardState: ShardState = {
    ...before,
    since: sinceReported(before.since, reported),
    report: reportOf(reported),
    unreported: undefined,
  }
  const path = me.paths.shardState(shard)
  const operation =
    known === undefined
      ? part.create(path, encodeShardState(shardState))
      : part.set(path, encodeShardState(shardState), known.version)
  return { shard, shardState, reported, operations: [...checks, operation] }
}

/**
 * Whether fire times up to `until` are not accounted for yet. Forgetting the schedule span that they belong to would
 * lose them.
 */
export function isOpenUntil(
  view: JobView,
  read: ReadShard,
  until: number,
  context: CloseContext,
): boolean {
  if (!isAccountable(view, read, context)) return false
  return passedForGood(countedShard(view, read), until, context, '').length > 0
}

/**
 * A shard that the leader has not created yet has no fire times. A shard that a lowered shard count removed may have
 * some even if it never ran: its state is kept until its fire times are accounted for.
 */
function isAccountable(
  view: JobView,
  { shard, shardState, created }: ReadShard,
  { total }: CloseContext,
): boolean {
  const isCreated = shardState !== undefined || created !== undefined || shard >= total
  return isCreated && saysAll(view, shard)
}

/**
 * Java stores no shard states. In mixed mode a shard state is complete only while a native instance owns the shard and
 * a native leader assigned it: such a leader has recorded what Java ran before.
 */
function saysAll(view: JobView, shard: number): boolean {
  if (!view.readsOwners) return true
  const owner = ownerOf(view, shard)
  const assignment = view.assignment?.value
  if (owner === undefined || isJavaInstance(owner) || hasJavaLeader(view)) return false
  return assignment !== undefined && assignment.digest !== '' && assignment.owners[shard] === owner
}

function countedShard(view: JobView, read: ReadShard): CountedShard {
  const { shard, shardState, created, disabled, wasDisabled } = read
  const off =
    disabled === undefined
      ? wasDisabled
      : [
          ...wasDisabled.filter(({ until }) => until <= disabled),
          { after: disabled, until: Infinity },
        ]
  return {
    shard,
    shardState: shardState?.value ?? neverRun,
    server: serverOf(ownerOf(view, shard) ?? ''),
    created: created ?? 0,
    left: off,
  }
}

function reasonOf(view: JobView, { shard, disabled }: ReadShard, context: CloseContext): string {
  if (disabled !== undefined) return 'the shard was disabled before anybody ran it'
  return reasonFor(view, shard, context.now)
}
