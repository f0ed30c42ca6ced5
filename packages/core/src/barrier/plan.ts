/**
 * Decides whether all shards of a run have begun, whether all have ended, and which instance calls the listeners that
 * are called once for the whole run.
 *
 * The barrier counts the job's own shard states. No instance registers its shards. Therefore no registration can be
 * left over from an earlier run, no shard can be registered without running, and a shard that was taken over from a
 * crashed instance counts as the same shard.
 */
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { BarrierPhase } from '../events.ts'
import { isTarget } from '../fire-times/due.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { type ShardState, neverRun } from '../job-tree/shard-state.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { isPaused } from '../job-tree/job-state.ts'
import { ownerOf } from '../sharding/needs.ts'
import {
  callOf,
  type CallState,
  isForgotten,
  type BarrierKey,
  type BarrierState,
  withCall,
} from './barrier-state.ts'

export type CountSettings = Pick<
  JobConfiguration,
  'shardingTotalCount' | 'failover' | 'misfire' | 'monitorExecution'
>

/** The shards of a run that are not over. */
export interface Tally {
  /** Shards that have not begun and will begin. */
  readonly toCome: readonly number[]
  /**
   * Shards that begin when their current manual run ends. The barrier of a fire time does not wait for their start:
   * that manual run may itself wait for shards that have already begun this fire time.
   */
  readonly heldUp: readonly number[]
  readonly running: readonly number[]
  /** Shards that have begun and will never end: their instance is dead, and no instance takes them over. */
  readonly lost: readonly number[]
}

type Stage = keyof Tally | 'over'

export function tally(
  view: JobView,
  key: BarrierKey,
  shardStates: ReadonlyMap<number, Versioned<ShardState>>,
  settings: CountSettings,
): Tally {
  const found = { toCome: [], heldUp: [], running: [], lost: [] } as Record<keyof Tally, number[]>
  for (let shard = 0; shard < settings.shardingTotalCount; shard++) {
    const stage = stageOf(view, shardStates.get(shard)?.value ?? neverRun, key, settings)
    if (stage === 'over') continue
    // A shard that was disabled during its run still has to end.
    const hasBegun = stage === 'running' || stage === 'lost'
    if (hasBegun || isWanted(view, key, shard)) found[stage].push(shard)
  }
  return found
}

/** The stage of a shard in a run, derived from its shard state. */
function stageOf(
  view: JobView,
  shardState: ShardState,
  { time, manualRun }: BarrierKey,
  { failover, misfire }: CountSettings,
): Stage {
  const distance =
    manualRun === undefined ? shardState.fireTime - time : shardState.round - manualRun.id
  // The shard has reached a later run: it has run this one or never will.
  if (distance > 0) return 'over'
  const isTriggered = shardState.source === 'trigger'
  const isUnfinished = shardState.state === 'running' || shardState.state === 'crashed'
  if (distance < 0) {
    if (manualRun !== undefined) return 'toCome'
    if ((shardState.since ?? 0) >= time) return 'over'
    const passedMeanwhile = time > shardState.begin && (isUnfinished || time <= shardState.end)
    if (passedMeanwhile && !misfire) return 'over'
    return isTriggered && isUnfinished ? 'heldUp' : 'toCome'
  }
  // The state describes the shard's last run. If that run does not belong to this key, it came later.
  if (isTriggered !== (manualRun !== undefined) || shardState.state === 'idle') return 'over'
  if (shardState.state === 'abandoned') return 'lost'
  const isLost = !failover && (shardState.state === 'crashed' || isDead(view, shardState.instance))
  return isLost ? 'lost' : 'running'
}

/** Whether a shard that has not begun is expected to begin. */
function isWanted(view: JobView, { manualRun }: BarrierKey, shard: number): boolean {
  if (view.shards.get(shard)?.disabled === true) return false
  const owner = ownerOf(view, shard)
  if (manualRun !== undefined) return isTarget(manualRun, shard, owner ?? '')
  const jobState = view.jobState?.value
  return jobState === undefined || owner === undefined || !isPaused(jobState, serverOf(owner))
}

/** The next step for a wait. */
export type Decision =
  | { readonly do: 'wait'; readonly missing: readonly number[] }
  | { readonly do: 'go' }
  | { readonly do: 'fail'; readonly reason: string }
  /** This instance has to call the listeners; `state` is undefined if the stored state already says so. */
  | { readonly do: 'call'; readonly state: BarrierState | undefined }
  /** No instance calls the listeners; `state` records that for all instances. */
  | { readonly do: 'give up'; readonly state: BarrierState; readonly reason: string }

/** A wait of this instance for a run. */
export interface Waiting {
  readonly key: BarrierKey
  readonly phase: BarrierPhase
  /** The wait has timed out. */
  readonly isLate: boolean
  /** This process is calling the listeners. */
  readonly isCalling: boolean
}

export function decide(
  view: JobView,
  rounds: BarrierState,
  shards: Tally,
  waiting: Waiting,
  instance: string,
  { failover }: CountSettings,
): Decision {
  const { key, phase, isLate, isCalling } = waiting
  const call = callOf(rounds, key, phase)
  const { toCome, heldUp, running, lost } = shards
  const missing = phase === 'started' ? toCome : [...toCome, ...heldUp, ...running]
  const callIt: Decision = {
    do: 'call',
    state: withCall(rounds, key, phase, { state: 'calling', by: instance }),
  }
  const giveUp = (reason: string): Decision => ({
    do: 'give up',
    state: withCall(rounds, key, phase, { state: 'given-up', reason }),
    reason,
  })
  if (call !== undefined && call.state !== 'calling') return verdictOf(call, phase)
  if (isCalling) return { do: 'wait', missing: [] }
  if (call !== undefined) {
    // The connection was lost before the reply to the claim arrived. The call still belongs to this instance.
    if (call.by === instance) return { do: 'call', state: undefined }
    if (!isDead(view, call.by)) return { do: 'wait', missing: [] }
    return failover ? callIt : giveUp(`${call.by} is gone, which was calling the listeners`)
  }
  if (isForgotten(rounds, key)) return { do: 'fail', reason: 'too many rounds have begun since' }
  if (missing.length > 0) {
    // This instance continues without the missing shards. Record that, so that no instance calls the listeners later.
    const givesUp = isLate && phase === 'started'
    return givesUp ? giveUp(`shards ${missing.join(', ')} have not begun`) : { do: 'wait', missing }
  }
  if (phase === 'completed' && lost.length > 0) {
    return giveUp(`shards ${lost.join(', ')} were lost with their instances`)
  }
  return callIt
}

/** The decision that a recorded call implies for a wait. */
export function verdictOf(call: CallState, phase: BarrierPhase): Decision {
  switch (call.state) {
    case 'calling':
      return { do: 'wait', missing: [] }
    case 'done':
      return { do: 'go' }
    case 'failed':
      return failed(phase, call.error)
    case 'given-up':
      return failed(phase, call.reason)
  }
}

/** After all shards have ended, there is no run left that the failure could affect. */
function failed(phase: BarrierPhase, reason: string): Decision {
  return phase === 'started' ? { do: 'fail', reason } : { do: 'go' }
}

/** Records the result of a call; undefined if the call belongs to another instance by now, or the run is forgotten. */
export function planOutcome(
  rounds: BarrierState,
  { key, phase }: Pick<Waiting, 'key' | 'phase'>,
  by: string,
  outcome: CallState,
): BarrierState | undefined {
  const call = callOf(rounds, key, phase)
  if (call?.state !== 'calling' || call.by !== by) return undefined
  return withCall(rounds, key, phase, outcome)
}
