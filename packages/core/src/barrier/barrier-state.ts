/**
 * The barrier state: which instance called the listeners of a whole run, and the result of the call. It is the data of
 * the job's shard state folder. Every job has this folder and nothing else uses its data, so the barrier state is
 * created and deleted with the job. A job without such listeners never writes it.
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

/** Identifies a run: a fire time or a manual run. */
export interface BarrierKey {
  /** The fire time; for a manual run, the time of its request. */
  readonly time: number
  /** The manual run; undefined for a fire time. */
  readonly manualRun: ManualRun | undefined
}

/** One call of the listeners of a run. */
export type CallState =
  /** The instance `by` is calling the listeners and has not recorded the result yet. */
  | { readonly state: 'calling'; readonly by: string }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly error: string }
  /** No instance calls the listeners any more. */
  | { readonly state: 'given-up'; readonly reason: string }

interface RoundState {
  readonly time: number
  /** The id of the manual run; absent for a fire time. */
  readonly round?: number
  readonly started?: CallState
  readonly completed?: CallState
}

export interface BarrierState {
  /** Sorted by time. */
  readonly rounds: readonly RoundState[]
}

export const noBarriers: BarrierState = Object.freeze({ rounds: [] })

/** The number of runs to remember; the oldest are dropped. More are hardly ever in progress at once. */
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

/** The additional key that each state requires. */
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

/** Decodes the barrier state from a node's data. */
export function decodeBarrierState(data: string, path: string): Decoded<BarrierState> {
  return data === '' ? { value: noBarriers } : decodeJson(data, path, shape)
}

/** A barrier state that prevents listener calls for every run that was due before `now`. */
export function forgottenUntil(now: number): BarrierState {
  return { rounds: Array.from({ length: kept }, () => ({ time: now })) }
}

/** The state of a call; undefined if no instance has made it. */
export function callOf(
  { rounds }: BarrierState,
  key: BarrierKey,
  phase: BarrierPhase,
): CallState | undefined {
  return rounds.find((state) => isOf(state, key))?.[phase]
}

/** Whether the run is older than all remembered runs. No instance calls the listeners of such a run. */
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
