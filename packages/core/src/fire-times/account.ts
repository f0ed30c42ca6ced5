/**
 * The account of a shard's fire times. Its state says up to which fire time all are accounted for: they ran, a
 * misfire run stood for them, or they were reported. Whoever moves that mark forward, by a claim or because nobody
 * can run them any more, reports the fire times that it passes over, and writes the report with the same transaction.
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
  /** When `sharding/{i}` came into being; 0 if that does not matter. */
  readonly created: number
  /** Fire times of which nobody can say that they were missed: the shard was off, or Java's. */
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

/** The fire times that nobody will run once this claim holds. */
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
  // Such a run takes no fire time's place. But its claim replaces what the state says of the last run.
  const until = goneUntil(shard, context)
  return passed(shard, until, context, { merged: false, reason: laterWasDue })
}

/**
 * The fire times that nobody can run any more, whatever happens: too old, or from before a change. `cut`: nothing
 * scheduled up to that moment is due any more.
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

/** Up to this time fire times are too old to be run, or dropped. */
function goneUntil(counted: CountedShard, context: AccountContext): number {
  const { shard, shardState } = counted
  const { oldest, catchUp, paused, misfire, history, now } = context
  if (paused || catchUp.policy !== 'skip') return 0
  const run = lastRun(shardState, now)
  if (run === undefined || run.until <= oldest) return oldest
  // A misfire run is due however old its fire time is, as long as the run that it follows is young enough.
  if (misfire) return Math.min(oldest, run.after)
  const meanwhile = { ...run, after: Math.max(run.after, accountedUntil(shardState)) }
  return history.rows(shard, placeOf(counted), meanwhile).length > 0 ? run.until : oldest
}

/** When the last run went on; fire times of that time are misfires. */
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
  // So it is at nearly every claim.
  if (shardState.unreported === undefined && history.isEmpty({ after, until })) return []
  const since = history.shardSince(shard)
  // A shard that is new begins with its node; a node that was only made again takes nothing away.
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
  // The account goes on after it: nothing in it is covered by what follows.
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
 * What goes into the shard state for a report; nothing for none. Who has made it takes it away afterwards, by a write of
 * its own or by the end of its run: one that still stands there may not have been made.
 */
export function reportOf(fires: readonly PassedFires[]): ShardState['report'] {
  return fires.length === 0 ? undefined : fires
}

/** The mark of the account after these were reported. */
export function sinceReported(
  since: number | undefined,
  fires: readonly PassedFires[],
): number | undefined {
  return fires.length === 0 ? since : Math.max(since ?? 0, ...fires.map(({ last }) => last))
}
