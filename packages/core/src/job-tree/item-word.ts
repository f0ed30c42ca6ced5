/**
 * The item's word: what is known of the last run of one item. It is never deleted while the job
 * exists, and every transaction about the item sets it with the version that it read. That makes any
 * two of them exclusive, which no other node can: their versions begin at 0 whenever they are made again.
 */
import type { RunOutcome, RunSource } from '../events.ts'

type ItemState = 'idle' | 'running' | 'crashed' | 'abandoned'

export interface ItemWord {
  readonly state: ItemState
  /** The run that the word speaks of. */
  readonly run: string
  /** The instance that ran it. */
  readonly instance: string
  /** The last scheduled time that was run, in milliseconds; 0 if none ever was. */
  readonly fireTime: number
  /** Why the run came about, at its first attempt. */
  readonly source?: RunSource | undefined
  /** How often that time was begun. */
  readonly attempt: number
  /** The last round of triggers that the item took part in; 0 for none. */
  readonly round: number
  readonly begin: number
  /** When it ended; 0 while it runs. */
  readonly end: number
  readonly outcome?: RunOutcome | undefined
  /** What went wrong, shortened. */
  readonly error?: string | undefined
  /** When the run was claimed, the time it was expected to run next; 0 for never. */
  readonly nextFireTime: number
  /** Nothing that was scheduled until then is due: a disable or a pause was lifted. */
  readonly since?: number | undefined
}

/** What an item that was never run is taken for. */
export const neverRun: ItemWord = Object.freeze({
  state: 'idle',
  run: '',
  instance: '',
  fireTime: 0,
  attempt: 0,
  round: 0,
  begin: 0,
  end: 0,
  nextFireTime: 0,
})

export function encodeItemWord(word: ItemWord): string {
  return JSON.stringify(word)
}

/** The word in a node's data; a node without a word in it speaks of no run. */
export function decodeItemWord(text: string): ItemWord {
  if (text === '') return neverRun
  const value: unknown = JSON.parse(text)
  return { ...neverRun, ...(value as Partial<ItemWord>) }
}
