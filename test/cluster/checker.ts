/** Judges what ran by what should have run. Knows logs alone: no server, no clock, no scheduler. */
import type { RunLine } from './log-line.ts'

/** What should have run: every item at every fire, once. */
export interface ExpectedJob {
  readonly job: string
  readonly items: number
  /**
   * The scheduled times between the job's first full assignment and the end, in order. Nothing in
   * between is excused: a fire that an item meets while it moves is run late by its new owner.
   */
  readonly fires: readonly number[]
}

export type Violation =
  /** No run of an item for a fire. */
  | {
      readonly kind: 'missed'
      readonly job: string
      readonly item: number
      readonly fireTime: number
    }
  /** Two runs of an item for one fire. */
  | { readonly kind: 'repeated'; readonly first: RunLine; readonly second: RunLine }
  /** A run of an item began before the one before it had ended. */
  | { readonly kind: 'overlapping'; readonly first: RunLine; readonly second: RunLine }
  /** A run before its time, of an item or job that there is not, or for a time that is no fire. */
  | { readonly kind: 'unexpected'; readonly reason: string; readonly run: RunLine }

export function findViolations(
  expected: readonly ExpectedJob[],
  runs: readonly RunLine[],
): Violation[] {
  const known = new Map(expected.map((job) => [job.job, job]))
  const found: Violation[] = []
  for (const run of runs) {
    const reason = whyUnexpected(known.get(run.job), run)
    if (reason !== undefined) found.push({ kind: 'unexpected', reason, run })
  }
  const lanes = groupByItem(runs)
  for (const { job, items, fires } of expected) {
    for (let item = 0; item < items; item++) {
      const lane = lanes.get(laneOf(job, item)) ?? []
      found.push(...missedIn(job, item, fires, lane), ...repeatedIn(lane), ...overlapsIn(lane))
    }
  }
  return found
}

/** Runs before the first expected fire and after the last one are none of our business, others are. */
function whyUnexpected(job: ExpectedJob | undefined, run: RunLine): string | undefined {
  if (job === undefined) return 'no such job'
  if (!(run.item >= 0 && run.item < job.items)) return 'no such item'
  if (run.start < run.fireTime) return 'before its time'
  const { fires } = job
  const first = fires[0]
  const last = fires.at(-1)
  if (first === undefined || last === undefined) return undefined
  if (run.fireTime < first || run.fireTime > last) return undefined
  return fires.includes(run.fireTime) ? undefined : 'no such fire'
}

function groupByItem(runs: readonly RunLine[]): Map<string, RunLine[]> {
  const lanes = new Map<string, RunLine[]>()
  for (const run of runs) {
    const key = laneOf(run.job, run.item)
    const lane = lanes.get(key)
    if (lane === undefined) lanes.set(key, [run])
    else lane.push(run)
  }
  for (const lane of lanes.values()) lane.sort((a, b) => a.start - b.start || a.end - b.end)
  return lanes
}

function laneOf(job: string, item: number): string {
  return `${job} ${item}`
}

function missedIn(
  job: string,
  item: number,
  fires: readonly number[],
  lane: readonly RunLine[],
): Violation[] {
  const ran = new Set(lane.map(({ fireTime }) => fireTime))
  return fires
    .filter((fireTime) => !ran.has(fireTime))
    .map((fireTime) => ({ kind: 'missed', job, item, fireTime }))
}

function repeatedIn(lane: readonly RunLine[]): Violation[] {
  const found: Violation[] = []
  const firsts = new Map<number, RunLine>()
  for (const run of lane) {
    const first = firsts.get(run.fireTime)
    if (first === undefined) firsts.set(run.fireTime, run)
    else found.push({ kind: 'repeated', first, second: run })
  }
  return found
}

/** Against the one that ends last, not the one before: a long run may overlap several short ones. */
function overlapsIn(lane: readonly RunLine[]): Violation[] {
  const found: Violation[] = []
  let longest: RunLine | undefined
  for (const run of lane) {
    if (longest !== undefined && run.start < longest.end) {
      found.push({ kind: 'overlapping', first: longest, second: run })
    }
    if (longest === undefined || run.end > longest.end) longest = run
  }
  return found
}
