/**
 * The account of a shard's fire times. The shard state says up to which fire time all are accounted for: they ran, a
 * misfire run covered them, or they were reported. An instance that moves that mark forward, with a claim or because no
 * instance can run the fire times any more, reports the fire times in between. It stores the report in the same
 * transaction.
 */
import type { ShardState, PassedFires } from '../job-tree/shard-state.ts'
import { accountedUntil, type Due, type DueContext, endOf } from './due.ts'
import type { Cut, FireHistory, FireRow, Place, Stretch } from './fire-history.ts'

/** A shard whose fire times are counted. */
export interface CountedShard {
  readonly shard: number
  readonly shardState: ShardState
  /** The server of its owner: a pause may apply to that server alone. */
  readonly server: string
  /** When `sharding/{i}` was created; 0 if that does not matter. */
  readonly created: number
  /** Stretches whose fire times cannot be reported as missed: the shard was disabled, or Java owned it. */
  readonly left: readonly Stretch[]
}

export interface AccountContext extends Pick<
  DueContext,
  'now' | 'oldest' | 'misfire' | 'catchUp' | 'paused'
> {
  readonly history: FireHistory
}

const reasons: Readonly<Record<Cut, string>> = {
  schedule: 'the schedule was changed before anybody ran it',
  total: 'the shard count was lowered before anybody ran it',
  paused: 'the job was paused before anybody ran it',
  disabled: 'the job was disabled before anybody ran it',
}
const shardDisabled = 'the shard was disabled before anybody ran it'
const laterWasDue = 'nobody could run it before a later time was due'
const overrun = 'it passed while the shard ran, and no misfire run could begin before a later one'
const misfireIsOff = 'it passed while the shard ran, and misfire is off'

/** The fire times that no instance will run once this claim is committed. */
export function passedByClaim(
  shard: CountedShard,
  due: Due,
  context: AccountContext,
): PassedFires[] {
  const run = lastRun(shard.shardState, context.now)
  if (due.source === 'cron' || due.source === 'misfire') {
    const isMerged = due.source === 'misfire' && run !== undefined && due.fireTime <= run.until
    return passed(shard, due.fireTime - 1, context, { merged: isMerged, reason: laterWasDue })
  }
  // A manual run or a failover run covers no new fire time, but its claim replaces the record of the last run.
  const until = goneUntil(shard, context)
  return passed(shard, until, context, { merged: false, reason: laterWasDue })
}

/**
 * The fire times that no instance can run any more: too old, or from before a change. `cut`: no fire time up to that
 * moment is due any more.
 */
export function passedForGood(
  shard: CountedShard,
  cut: number,
  context: AccountContext,
  reason: string,
): PassedFires[] {
  const until = Math.max(goneUntil(shard, context), cut)
  return passed(shard, until, context, { merged: false, reason })
}

/** Fire times up to this moment are too old to run, or dropped. */
function goneUntil(counted: CountedShard, context: AccountContext): number {
  const { shard, shardState } = counted
  const { oldest, catchUp, paused, misfire, history, now } = context
  if (paused || catchUp.policy !== 'skip') return 0
  const run = lastRun(shardState, now)
  if (run === undefined || run.until <= oldest) return oldest
  // A misfire run is due however old its fire time is, as long as the run before it is recent enough.
  if (misfire) return Math.min(oldest, run.after)
  const meanwhile = { ...run, after: Math.max(run.after, accountedUntil(shardState)) }
  return history.rows(shard, placeOf(counted), meanwhile).length > 0 ? run.until : oldest
}

/** The stretch of the last run; fire times within it are misfires. */
function lastRun(shardState: ShardState, now: number): Stretch | undefined {
  const end = endOf(shardState, now)
  return shardState.state !== 'running' && end > shardState.begin
    ? { after: shardState.begin, until: end }
    : undefined
}

function placeOf({ shardState, server }: CountedShard): Place {
  return { server, former: shardState.formerServers ?? [] }
}

function passed(
  counted: CountedShard,
  until: number,
  context: AccountContext,
  { merged, reason }: { readonly merged: boolean; readonly reason: string },
): PassedFires[] {
  const { shard, shardState, created, left } = counted
  const { history, misfire, now } = context
  const after = accountedUntil(shardState)
  // The case of nearly every claim.
  if (shardState.unreported === undefined && history.isEmpty({ after, until })) return []
  const since = history.shardSince(shard)
  // The account of a new shard begins with its node. A node that was merely recreated removes no fire times.
  const unborn = after <= since ? [{ after: since, until: created }] : []
  const off = [...left, ...unborn].filter((one) => one.until > one.after)
  const place = placeOf(counted)
  const rows = (one: Stretch): FireRow[] => history.rows(shard, place, one, off)
  const run = lastRun(shardState, now)
  const begin = Math.max(after, run?.after ?? Infinity)
  const end = Math.max(after, run?.until ?? Infinity)
  const name =
    (text: string) =>
    ({ first, last, cut }: FireRow): PassedFires => ({
      first,
      last,
      reason: cut === undefined ? text : reasons[cut],
    })
  // The account continues after these stretches: the rows below do not cover them.
  const owed = (shardState.unreported ?? [])
    .flatMap((one) => history.rows(shard, place, one))
    .map(name(shardDisabled))
  const before = rows({ after, until: Math.min(begin, until) }).map(name(reason))
  const meanwhile = rows({ after: begin, until: Math.min(end, until) })
  const later = rows({ after: end, until }).map(name(reason))
  if (merged) return [...owed, ...before, ...later]
  const told = misfire
    ? meanwhile.map(name(overrun))
    : meanwhile.map((row) => ({
        ...name(misfireIsOff)({ ...row, cut: undefined }),
        isSkipped: true,
      }))
  return [...owed, ...before, ...told, ...later]
}

/**
 * The report to store in the shard state; undefined if it is empty. The instance that emits a report deletes it
 * afterwards, with a write of its own or with the end of its run. A report that is still stored may not have been
 * emitted.
 */
export function reportOf(fires: readonly PassedFires[]): ShardState['report'] {
  return fires.length === 0 ? undefined : fires
}

/** The mark of the account after these fire times were reported. */
export function sinceReported(
  since: number | undefined,
  fires: readonly PassedFires[],
): number | undefined {
  return fires.length === 0 ? since : Math.max(since ?? 0, ...fires.map(({ last }) => last))
}
