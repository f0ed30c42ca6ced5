/**
 * Whether all shards of a run have begun, whether all have ended, and who tells the listeners that are called once for
 * all of them.
 *
 * What is counted are the own shard states. Nobody registers for anything, so that nothing can be left over from an
 * earlier run, nobody can be registered and not run, and a shard that was taken over from a crashed instance is the
 * same shard.
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
  /** They have not begun, and will. */
  readonly toCome: readonly number[]
  /**
   * They will begin when a trigger that they run has ended. A scheduled time does not wait for their beginning: that
   * trigger may be waiting for shards which have begun this time already.
   */
  readonly heldUp: readonly number[]
  readonly running: readonly number[]
  /** They have begun and will never end: their instance is gone, and nobody takes them over. */
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
    // One that was disabled in the middle of its run still has to end.
    const hasBegun = stage === 'running' || stage === 'lost'
    if (hasBegun || isWanted(view, key, shard)) found[stage].push(shard)
  }
  return found
}

/** Where a shard stands in a run, as its state tells. */
function stageOf(
  view: JobView,
  shardState: ShardState,
  { time, manualRun }: BarrierKey,
  { failover, misfire }: CountSettings,
): Stage {
  const distance =
    manualRun === undefined ? shardState.fireTime - time : shardState.round - manualRun.id
  // It has come to a later one: this one it has run, or never will.
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
  // The state speaks of the shard's last run. If that is none of this run, it came after it.
  if (isTriggered !== (manualRun !== undefined) || shardState.state === 'idle') return 'over'
  if (shardState.state === 'abandoned') return 'lost'
  const isLost = !failover && (shardState.state === 'crashed' || isDead(view, shardState.instance))
  return isLost ? 'lost' : 'running'
}

/** Whether a shard that has not begun is going to. */
function isWanted(view: JobView, { manualRun }: BarrierKey, shard: number): boolean {
  if (view.shards.get(shard)?.disabled === true) return false
  const owner = ownerOf(view, shard)
  if (manualRun !== undefined) return isTarget(manualRun, shard, owner ?? '')
  const jobState = view.jobState?.value
  return jobState === undefined || owner === undefined || !isPaused(jobState, serverOf(owner))
}

/** What becomes of somebody who waits for a run. */
export type Decision =
  | { readonly do: 'wait'; readonly missing: readonly number[] }
  | { readonly do: 'go' }
  | { readonly do: 'fail'; readonly reason: string }
  /** This instance has to call the listeners; `state` is undefined if the stored state says so already. */
  | { readonly do: 'call'; readonly state: BarrierState | undefined }
  /** Nobody is to call them, and everybody is told so. */
  | { readonly do: 'give up'; readonly state: BarrierState; readonly reason: string }

/** Somebody who waits. */
export interface Waiting {
  readonly key: BarrierKey
  readonly phase: BarrierPhase
  /** It has waited for too long. */
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
    // The connection was lost before the answer came: it is ours all the same.
    if (call.by === instance) return { do: 'call', state: undefined }
    if (!isDead(view, call.by)) return { do: 'wait', missing: [] }
    return failover ? callIt : giveUp(`${call.by} is gone, which was calling the listeners`)
  }
  if (isForgotten(rounds, key)) return { do: 'fail', reason: 'too many rounds have begun since' }
  if (missing.length > 0) {
    // Whoever goes on without them must not find the listeners called behind its back.
    const givesUp = isLate && phase === 'started'
    return givesUp ? giveUp(`shards ${missing.join(', ')} have not begun`) : { do: 'wait', missing }
  }
  if (phase === 'completed' && lost.length > 0) {
    return giveUp(`shards ${lost.join(', ')} were lost with their instances`)
  }
  return callIt
}

/** What a call means to those who wait for it. */
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

/** When all shards are over there is nothing left that could fail because of it. */
function failed(phase: BarrierPhase, reason: string): Decision {
  return phase === 'started' ? { do: 'fail', reason } : { do: 'go' }
}

/** The end of a call; undefined if it is no longer the caller's, or the run is forgotten. */
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
