/** The counts of a job on one instance, and their stored form. */
import { decodeJson } from '../../decode/json.ts'
import type { Decoded } from '../../decode/problem.ts'
import { integer, object, type Shape, time } from '../../decode/shape.ts'
import type { RunOutcome } from '../../events.ts'

/** The number of successes and failures. */
export interface Tally {
  readonly succeeded: number
  readonly failed: number
}

/** The counts of a job: its runs, and the elements of its dataflow. */
export interface Counts {
  /** Runs of shards. A run that was aborted or never began counts as neither. */
  readonly runs: Tally
  /** Elements that a dataflow has processed. */
  readonly elements: Tally
}

/** The stored counts of an instance; all times are registry time. */
export interface StoredCounts {
  /** The last interval with anything to count. */
  readonly interval: Counts & { readonly from: number; readonly until: number }
  /** The counts since the instance joined the job. */
  readonly total: Counts & { readonly since: number }
}

const nothing: Tally = Object.freeze({ succeeded: 0, failed: 0 })

/** Counts one job on one instance. */
export class Counter {
  readonly #since: number
  #from: number
  #interval: Counts = { runs: nothing, elements: nothing }
  #total: Counts = { runs: nothing, elements: nothing }

  constructor(now: number) {
    this.#since = now
    this.#from = now
  }

  ran(outcome: RunOutcome): void {
    if (outcome === 'success') this.#add('runs', 1, 0)
    if (outcome === 'failure') this.#add('runs', 0, 1)
  }

  processed(succeeded: number, failed: number): void {
    this.#add('elements', succeeded, failed)
  }

  get isEmpty(): boolean {
    const { runs, elements } = this.#interval
    return runs.succeeded + runs.failed + elements.succeeded + elements.failed === 0
  }

  /** The counts to write now. They stay in the interval until `written` confirms them. */
  upTo(now: number): StoredCounts {
    return {
      interval: { from: this.#from, until: now, ...this.#interval },
      total: { since: this.#since, ...this.#total },
    }
  }

  /** Removes stored counts from the current interval; the next interval holds the counts since then. */
  written({ interval }: StoredCounts): void {
    this.#from = interval.until
    this.#interval = {
      runs: less(this.#interval.runs, interval.runs),
      elements: less(this.#interval.elements, interval.elements),
    }
  }

  /** Starts the next interval without writing an empty one. */
  skip(now: number): void {
    this.#from = now
  }

  #add(what: keyof Counts, succeeded: number, failed: number): void {
    const more = { succeeded, failed }
    this.#interval = { ...this.#interval, [what]: sum(this.#interval[what], more) }
    this.#total = { ...this.#total, [what]: sum(this.#total[what], more) }
  }
}

function sum(a: Tally, b: Tally): Tally {
  return { succeeded: a.succeeded + b.succeeded, failed: a.failed + b.failed }
}

function less(a: Tally, b: Tally): Tally {
  return { succeeded: a.succeeded - b.succeeded, failed: a.failed - b.failed }
}

export function encodeCounts(counts: StoredCounts): string {
  return JSON.stringify(counts)
}

const tally: Shape<Tally> = object<Tally>({ succeeded: integer(0), failed: integer(0) }, [
  'succeeded',
  'failed',
])

const shape: Shape<StoredCounts> = object<StoredCounts>(
  {
    interval: object<StoredCounts['interval']>(
      { runs: tally, elements: tally, from: time, until: time },
      ['runs', 'elements', 'from', 'until'],
    ),
    total: object<StoredCounts['total']>({ runs: tally, elements: tally, since: time }, [
      'runs',
      'elements',
      'since',
    ]),
  },
  ['interval', 'total'],
)

/** Decodes the counts that a native instance has written. */
export function decodeCounts(data: string, path: string): Decoded<StoredCounts> {
  return decodeJson(data, path, shape)
}
