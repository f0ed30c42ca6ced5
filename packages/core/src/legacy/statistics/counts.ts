/** What an instance counts of a job, and how it is written down. */
import { decodeJson } from '../../decode/json.ts'
import type { Decoded } from '../../decode/problem.ts'
import { integer, object, type Shape, time } from '../../decode/shape.ts'
import type { RunOutcome } from '../../events.ts'

/** How many succeeded and how many failed. */
export interface Tally {
  readonly succeeded: number
  readonly failed: number
}

/** The counts of a job: its runs, and the elements of its dataflow. */
export interface Counts {
  /** Runs of shards. One that was aborted, or never began, is neither. */
  readonly runs: Tally
  /** Elements that a dataflow has processed. */
  readonly elements: Tally
}

/** What an instance has counted, with the times that it speaks of, in registry time. */
export interface StoredCounts {
  /** The last interval in which there was something to count. */
  readonly interval: Counts & { readonly from: number; readonly until: number }
  /** Everything since the instance has taken part in the job. */
  readonly total: Counts & { readonly since: number }
}

const nothing: Tally = Object.freeze({ succeeded: 0, failed: 0 })

/** What one instance has counted of one job. */
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

  /** What there is to be written now. It stays counted until `written` says that it is. */
  upTo(now: number): StoredCounts {
    return {
      interval: { from: this.#from, until: now, ...this.#interval },
      total: { since: this.#since, ...this.#total },
    }
  }

  /** The registry has these: the next interval has what was counted since. */
  written({ interval }: StoredCounts): void {
    this.#from = interval.until
    this.#interval = {
      runs: less(this.#interval.runs, interval.runs),
      elements: less(this.#interval.elements, interval.elements),
    }
  }

  /** Nothing to write: the next interval begins here. */
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

/** What an instance of ours has written, or why that cannot be read. */
export function decodeCounts(data: string, path: string): Decoded<StoredCounts> {
  return decodeJson(data, path, shape)
}
