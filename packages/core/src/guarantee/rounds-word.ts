/**
 * The rounds' word: who has called the listeners of a whole round, and what came of it. It stands in the
 * folder of the items' words, which every job has and whose data nobody else uses: so it comes and goes
 * with the job, and a job without such listeners never writes it.
 */
import type { RoundPhase } from '../events.ts'
import type { Round } from '../job-tree/job-word.ts'

/** Which round: a scheduled time, or a trigger. */
export interface RoundKey {
  /** The scheduled time; for a trigger, when it was asked for. */
  readonly time: number
  /** The trigger; undefined for a scheduled time. */
  readonly round: Round | undefined
}

/** One call of the listeners of a round. */
export type CallWord =
  /** By this instance, which has not told its end yet. */
  | { readonly state: 'calling'; readonly by: string }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly error: string }
  /** Nobody calls them any more. */
  | { readonly state: 'given-up'; readonly reason: string }

interface RoundWord {
  readonly time: number
  /** The id of the trigger; absent for a scheduled time. */
  readonly round?: number
  readonly started?: CallWord
  readonly completed?: CallWord
}

export interface RoundsWord {
  /** In the order of their times. */
  readonly rounds: readonly RoundWord[]
}

const noRounds: RoundsWord = Object.freeze({ rounds: [] })

/** Of more rounds than these the oldest are forgotten; that many are hardly ever under way at once. */
const kept = 16

export function encodeRounds(word: RoundsWord): string {
  return JSON.stringify(word)
}

export function decodeRounds(text: string): RoundsWord {
  if (text === '') return noRounds
  const value: unknown = JSON.parse(text)
  return { ...noRounds, ...(value as Partial<RoundsWord>) }
}

/** What is known of a call; undefined if nobody has made it. */
export function callOf(
  { rounds }: RoundsWord,
  key: RoundKey,
  phase: RoundPhase,
): CallWord | undefined {
  return rounds.find((word) => isOf(word, key))?.[phase]
}

/** Whether nothing is known of a round because too many others came after it: then nobody calls for it. */
export function isForgotten({ rounds }: RoundsWord, { time }: RoundKey): boolean {
  return rounds.length >= kept && time < (rounds[0]?.time ?? 0)
}

export function withCall(
  { rounds }: RoundsWord,
  key: RoundKey,
  phase: RoundPhase,
  call: CallWord,
): RoundsWord {
  const known = rounds.find((word) => isOf(word, key)) ?? {
    time: key.time,
    ...(key.round === undefined ? {} : { round: key.round.id }),
  }
  const others = rounds.filter((word) => word !== known)
  const all = [...others, { ...known, [phase]: call }].toSorted((a, b) => a.time - b.time)
  return { rounds: all.slice(-kept) }
}

function isOf(word: RoundWord, { time, round }: RoundKey): boolean {
  return word.time === time && word.round === round?.id
}
