/**
 * Whether all items of a round have begun, whether all have ended, and who tells the listeners that are
 * called once for all of them.
 *
 * What is counted are the items' own words. Nobody registers for anything, so that nothing can be left
 * over from an earlier round, nobody can be registered and not run, and an item that was taken over from a
 * crashed instance is the same item.
 */
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { RoundPhase } from '../events.ts'
import { isTarget } from '../execution/due.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { isPaused } from '../job-tree/job-word.ts'
import { ownerOf } from '../sharding/needs.ts'
import {
  callOf,
  type CallWord,
  isForgotten,
  type RoundKey,
  type RoundsWord,
  withCall,
} from './rounds-word.ts'

export type CountSettings = Pick<
  JobConfiguration,
  'shardingTotalCount' | 'failover' | 'misfire' | 'monitorExecution'
>

/** The items of a round that are not over. */
export interface Tally {
  /** They have not begun, and will. */
  readonly toCome: readonly number[]
  /**
   * They will begin when a trigger that they run has ended. A scheduled time does not wait for their
   * beginning: that trigger may be waiting for items which have begun this time already.
   */
  readonly heldUp: readonly number[]
  readonly running: readonly number[]
  /** They have begun and will never end: their instance is gone, and nobody takes them over. */
  readonly lost: readonly number[]
}

type Stage = keyof Tally | 'over'

export function tally(
  view: JobView,
  key: RoundKey,
  words: ReadonlyMap<number, Versioned<ItemWord>>,
  settings: CountSettings,
): Tally {
  const found = { toCome: [], heldUp: [], running: [], lost: [] } as Record<keyof Tally, number[]>
  for (let item = 0; item < settings.shardingTotalCount; item++) {
    const stage = stageOf(view, words.get(item)?.value ?? neverRun, key, settings)
    if (stage === 'over') continue
    // One that was disabled in the middle of its run still has to end.
    const hasBegun = stage === 'running' || stage === 'lost'
    if (hasBegun || isWanted(view, key, item)) found[stage].push(item)
  }
  return found
}

/** Where an item stands in a round, as its word tells. */
function stageOf(
  view: JobView,
  word: ItemWord,
  { time, round }: RoundKey,
  { failover, misfire }: CountSettings,
): Stage {
  const distance = round === undefined ? word.fireTime - time : word.round - round.id
  // It has come to a later one: this one it has run, or never will.
  if (distance > 0) return 'over'
  const isTriggered = word.source === 'trigger'
  const isUnfinished = word.state === 'running' || word.state === 'crashed'
  if (distance < 0) {
    if (round !== undefined) return 'toCome'
    if ((word.since ?? 0) >= time) return 'over'
    const passedMeanwhile = time > word.begin && (isUnfinished || time <= word.end)
    if (passedMeanwhile && !misfire) return 'over'
    return isTriggered && isUnfinished ? 'heldUp' : 'toCome'
  }
  // The word speaks of the item's last run. If that is none of this round, it came after it.
  if (isTriggered !== (round !== undefined) || word.state === 'idle') return 'over'
  if (word.state === 'abandoned') return 'lost'
  const isLost = !failover && (word.state === 'crashed' || isDead(view, word.instance))
  return isLost ? 'lost' : 'running'
}

/** Whether an item that has not begun is going to. */
function isWanted(view: JobView, { round }: RoundKey, item: number): boolean {
  if (view.items.get(item)?.disabled === true) return false
  const owner = ownerOf(view, item)
  if (round !== undefined) return isTarget(round, item, owner ?? '')
  const word = view.word?.value
  return word === undefined || owner === undefined || !isPaused(word, serverOf(owner))
}

/** What becomes of somebody who waits for a round. */
export type Decision =
  | { readonly do: 'wait'; readonly missing: readonly number[] }
  | { readonly do: 'go' }
  | { readonly do: 'fail'; readonly reason: string }
  /** It is ours to call the listeners; `word` is undefined if it says so already. */
  | { readonly do: 'call'; readonly word: RoundsWord | undefined }
  /** Nobody is to call them, and everybody is told so. */
  | { readonly do: 'give up'; readonly word: RoundsWord; readonly reason: string }

/** Somebody who waits. */
export interface Waiting {
  readonly key: RoundKey
  readonly phase: RoundPhase
  /** It has waited for too long. */
  readonly isLate: boolean
  /** This process is calling the listeners. */
  readonly isCalling: boolean
}

export function decide(
  view: JobView,
  rounds: RoundsWord,
  items: Tally,
  waiting: Waiting,
  instance: string,
  { failover }: CountSettings,
): Decision {
  const { key, phase, isLate, isCalling } = waiting
  const call = callOf(rounds, key, phase)
  const { toCome, heldUp, running, lost } = items
  const missing = phase === 'started' ? toCome : [...toCome, ...heldUp, ...running]
  const callIt: Decision = {
    do: 'call',
    word: withCall(rounds, key, phase, { state: 'calling', by: instance }),
  }
  const giveUp = (reason: string): Decision => ({
    do: 'give up',
    word: withCall(rounds, key, phase, { state: 'given-up', reason }),
    reason,
  })
  if (call !== undefined && call.state !== 'calling') return verdictOf(call, phase)
  if (isCalling) return { do: 'wait', missing }
  if (call !== undefined) {
    // The connection was lost before the answer came: it is ours all the same.
    if (call.by === instance) return { do: 'call', word: undefined }
    if (!isDead(view, call.by)) return { do: 'wait', missing }
    return failover ? callIt : giveUp(`${call.by} is gone, which was calling the listeners`)
  }
  if (isForgotten(rounds, key)) return { do: 'fail', reason: 'too many rounds have begun since' }
  if (missing.length > 0) {
    // Whoever goes on without them must not find the listeners called behind its back.
    const givesUp = isLate && phase === 'started'
    return givesUp ? giveUp(`items ${missing.join(', ')} have not begun`) : { do: 'wait', missing }
  }
  if (phase === 'completed' && lost.length > 0) {
    return giveUp(`items ${lost.join(', ')} were lost with their instances`)
  }
  return callIt
}

/** What a call means to those who wait for it. */
export function verdictOf(call: CallWord, phase: RoundPhase): Decision {
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

/** When all items are over there is nothing left that could fail because of it. */
function failed(phase: RoundPhase, reason: string): Decision {
  return phase === 'started' ? { do: 'fail', reason } : { do: 'go' }
}

/** The end of a call; undefined if it is no longer the caller's, or the round is forgotten. */
export function planOutcome(
  rounds: RoundsWord,
  { key, phase }: Pick<Waiting, 'key' | 'phase'>,
  by: string,
  outcome: CallWord,
): RoundsWord | undefined {
  const call = callOf(rounds, key, phase)
  if (call?.state !== 'calling' || call.by !== by) return undefined
  return withCall(rounds, key, phase, outcome)
}
