/**
 * What a worker writes down, one JSON line each, on the disk before anything else happens. `at` is the
 * machine's time. Everything but `event` comes from the job's own code or from the worker itself.
 */

/** A run's code begins. */
export interface BeginLine {
  readonly kind: 'begin'
  readonly at: number
  readonly run: string
  readonly job: string
  readonly shard: number
  /** In milliseconds since 1970; for one of a manual run, when that was asked for. */
  readonly fireTime: number
  /** When it was claimed, in the registry's time: from then on the shard runs. */
  readonly claimedAt: number
  readonly attempt: number
  readonly source: string
  readonly instance: string
  /** The fencing token; a bigint, as text. */
  readonly token: string
  /** The offset that it was given; 0 for none. */
  readonly offset: number
}

/** A run's code has done a bit of work, was told to stop, or has ended. */
interface RunLine {
  readonly kind: 'tick' | 'abort' | 'end'
  readonly at: number
  readonly run: string
}

/** A run has saved an offset: the registry has it. */
interface SavedLine {
  readonly kind: 'saved'
  readonly at: number
  readonly run: string
  readonly offset: number
}

/** The worker could do nothing for a while: it, or the machine, stood still. */
interface StallLine {
  readonly kind: 'stall'
  readonly at: number
  readonly late: number
}

/** A manual run was asked for and accepted. */
interface AskedLine {
  readonly kind: 'asked'
  readonly at: number
  readonly job: string
  /** When, as its runs will say. */
  readonly fireTime: number
}

/** What the scheduler told. */
export interface EventLine {
  readonly kind: 'event'
  readonly at: number
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

export type LogLine = BeginLine | RunLine | SavedLine | StallLine | AskedLine | EventLine

/** A line is written in one piece: one that is cut throws. */
export function parseLog(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
}
