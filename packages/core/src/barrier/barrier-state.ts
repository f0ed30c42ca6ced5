/**
 * The barrier state: who has called the listeners of a whole run, and what came of it. It stands in the folder of the
 * shard states, which every job has and whose data nobody else uses: so it comes and goes with the job, and a job
 * without such listeners never writes it.
 */
import { decodeJson } from '../decode/json.ts'
import type { Decoded } from '../decode/problem.ts'
import {
  integer,
  listOf,
  object,
  oneOf,
  type Shape,
  text,
  time as moment,
} from '../decode/shape.ts'
import type { BarrierPhase } from '../events.ts'
import type { ManualRun } from '../job-tree/job-state.ts'

/** Which run: a scheduled time, or a trigger. */
export interface BarrierKey {
  /** The scheduled time; for a trigger, when it was asked for. */
  readonly time: number
  /** The trigger; undefined for a scheduled time. */
  readonly manualRun: ManualRun | undefined
}

/** One call of the listeners of a run. */
export type CallState =
  /** By this instance, which has not told its end yet. */
  | { readonly state: 'calling'; readonly by: string }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly error: string }
  /** Nobody calls them any more. */
  | { readonly state: 'given-up'; readonly reason: string }

interface RoundState {
  readonly time: number
  /** The id of the trigger; absent for a scheduled time. */
  readonly round?: number
  readonly started?: CallState
  readonly completed?: CallState
}

export interface BarrierState {
  /** In the order of their times. */
  readonly rounds: readonly RoundState[]
}

export const noBarriers: BarrierState = Object.freeze({ rounds: [] })

/** Of more runs than these the oldest are forgotten; that many are hardly ever under way at once. */
const kept = 16

export function encodeBarrierState(state: BarrierState): string {
  return JSON.stringify(state)
}

interface AnyCall {
  readonly state: CallState['state']
  readonly by?: string
  readonly error?: string
  readonly reason?: string
}

const anyCall: Shape<AnyCall> = object<AnyCall>(
  {
    state: oneOf('calling', 'done', 'failed', 'given-up'),
    by: text,
    error: text,
    reason: text,
  },
  ['state'],
)

/** What each state has to say beside itself. */
const details = { calling: 'by', done: undefined, failed: 'error', 'given-up': 'reason' } as const

const callShape: Shape<CallState> = (value, at) => {
  const found = anyCall(value, at)
  const detail = details[found.state]
  if (detail !== undefined) text(found[detail], `${at}.${detail}`)
  return found as CallState
}

const shape: Shape<BarrierState> = object<BarrierState>(
  {
    rounds: listOf(
      object<RoundState>(
        { time: moment, round: integer(0), started: callShape, completed: callShape },
        ['time'],
      ),
      kept,
    ),
  },
  ['rounds'],
)

/** Who has called listeners, from a node's data, or why that cannot be read. */
export function decodeBarrierState(data: string, path: string): Decoded<BarrierState> {
  return data === '' ? { value: noBarriers } : decodeJson(data, path, shape)
}

/** A value by which nobody calls listeners for anything that was due until then. */
export function forgottenUntil(now: number): BarrierState {
  return { rounds: Array.from({ length: kept }, () => ({ time: now })) }
}

/** What is known of a call; undefined if nobody has made it. */
export function callOf(
  { rounds }: BarrierState,
  key: BarrierKey,
  phase: BarrierPhase,
): CallState | undefined {
  return rounds.find((state) => isOf(state, key))?.[phase]
}

/** Whether nothing is known of a run because too many others came after it: then nobody calls for it. */
export function isForgotten({ rounds }: BarrierState, { time }: BarrierKey): boolean {
  return rounds.length >= kept && time < (rounds[0]?.time ?? 0)
}

export function withCall(
  { rounds }: BarrierState,
  key: BarrierKey,
  phase: BarrierPhase,
  call: CallState,
): BarrierState {
  const known = rounds.find((state) => isOf(state, key)) ?? {
    time: key.time,
    ...(key.manualRun === undefined ? {} : { round: key.manualRun.id }),
  }
  const others = rounds.filter((state) => state !== known)
  const all = [...others, { ...known, [phase]: call }].toSorted((a, b) => a.time - b.time)
  return { rounds: all.slice(-kept) }
}

function isOf(state: RoundState, { time, manualRun: round }: BarrierKey): boolean {
  return state.time === time && state.round === round?.id
}
