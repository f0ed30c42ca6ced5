/**
 * Fire times that nobody can run any more are closed: the shard state says that they are accounted for, so that
 * nobody runs them after they were reported.
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

/** So long after the window nobody claims a fire time any more, whose clock is a little behind. */
export const clockTolerance = 1000

/** A shard as it was read for its account. */
export interface ReadShard {
  readonly shard: number
  /** Undefined if the shard has no state yet. */
  readonly shardState: Versioned<ShardState> | undefined
  /** When `sharding/{i}` came into being; undefined if there is no such node. */
  readonly created: number | undefined
  /** Since when the shard is disabled. */
  readonly disabled: number | undefined
  /** The last periods in which the shard was disabled, as far as this instance saw it. */
  readonly wasDisabled: readonly DisabledPeriod[]
  /** Since when `sharding/{i}/instance` names its owner. */
  readonly ownedSince: number | undefined
}

export interface CloseContext extends AccountContext {
  readonly total: number
  /** Nothing scheduled up to this moment is due, of no shard. */
  readonly cut: number
}

export interface ClosePlan {
  readonly shard: number
  readonly shardState: ShardState
  /** Fire times to report once the plan is carried out. */
  readonly reported: readonly PassedFires[]
  readonly operations: readonly TransactionPart[]
}

/** What nobody ran of a shard before it was Java's; undefined for nothing. */
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
  // What is too old does not matter: from then on Java runs it, and writes nothing down.
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
  // Nobody takes over a crashed run of a shard beyond the shard count.
  if (isUnderWay(before) && !(isSurplus && before.state === 'crashed')) return undefined
  const isOff = isSurplus || read.disabled !== undefined
  const cut = isOff ? context.now : context.cut
  const passed = isAccountable(view, read, context)
    ? passedForGood(countedShard(view, read), cut, context, reasonOf(view, read, context))
    : []
  const reported = [...(before.report ?? []), ...passed]
  // The leader may delete the state of a shard beyond the shard count, and sets the job's state with it.
  return closing(me, read, reported, stateCheck(view, me))
}

/** The end of a run, and whoever takes a crashed one over, accounts for what passed meanwhile. */
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

/** Whether fire times up to then are not accounted for: whoever forgot what they came from would lose them. */
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
 * A shard that the leader has not created yet has no fire times. One that a lowered shard count has removed may have
 * some, also if it never ran: the state of a shard is kept until its fire times are accounted for.
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
 * Java writes nothing down. In a mixed job the state of a shard says what ran only while one of ours owns the shard
 * and a leader of ours gave it to that one: such a leader has noted what Java ran before.
 */
function saysAll(view: JobView, shard: number): boolean {
  if (!view.readsOwners) return true
  const owner = ownerOf(view, shard)
  const assignment = view.assignment?.value
  if (owner === undefined || isJavaInstance(owner) || hasJavaLeader(view)) return false
  return assignment !== undefined && assignment.digest !== '' && assignment.owners[shard] === owner
}

function countedShard(view: JobView, read: ReadShard): CountedShard {
  const { shard, shardState, created, disabled, wasDisabled, ownedSince } = read
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
    ownedSince: ownedSince ?? 0,
    created: created ?? 0,
    left: off,
  }
}

function reasonOf(view: JobView, { shard, disabled }: ReadShard, context: CloseContext): string {
  if (disabled !== undefined) return 'the shard was disabled before anybody ran it'
  return reasonFor(view, shard, context.now)
}
