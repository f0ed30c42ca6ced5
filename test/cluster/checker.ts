/** Judges what ran by what should have run. Knows logs alone: no server, no clock, no scheduler. */
import type { RunLine } from './log-line.ts'

/** What should have run: every shard at every fire, once. */
export interface ExpectedJob {
  readonly job: string
  readonly shards: number
  /**
   * The scheduled times between the job's first full assignment and the end, in order. Nothing in between is excused: a
   * fire that a shard meets while it moves is run late by its new owner.
   */
  readonly fires: readonly number[]
}

export type Violation =
  /** No run of a shard for a fire. */
  | {
      readonly kind: 'missed'
      readonly job: string
      readonly shard: number
      readonly fireTime: number
    }
  /** Two runs of a shard for one fire. */
  | { readonly kind: 'repeated'; readonly first: RunLine; readonly second: RunLine }
  /** A run of a shard began before the one before it had ended. */
  | { readonly kind: 'overlapping'; readonly first: RunLine; readonly second: RunLine }
  /** A run before its time, of a shard or job that there is not, or for a time that is no fire. */
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
  const slots = groupByShard(runs)
  for (const { job, shards, fires } of expected) {
    for (let shard = 0; shard < shards; shard++) {
      const slot = slots.get(slotOf(job, shard)) ?? []
      found.push(...missedIn(job, shard, fires, slot), ...repeatedIn(slot), ...overlapsIn(slot))
    }
  }
  return found
}

/** Runs before the first expected fire and after the last one are none of our business, others are. */
function whyUnexpected(job: ExpectedJob | undefined, run: RunLine): string | undefined {
  if (job === undefined) return 'no such job'
  if (!(run.shard >= 0 && run.shard < job.shards)) return 'no such shard'
  if (run.start < run.fireTime) return 'before its time'
  const { fires } = job
  const first = fires[0]
  const last = fires.at(-1)
  if (first === undefined || last === undefined) return undefined
  if (run.fireTime < first || run.fireTime > last) return undefined
  return fires.includes(run.fireTime) ? undefined : 'no such fire'
}

function groupByShard(runs: readonly RunLine[]): Map<string, RunLine[]> {
  const slots = new Map<string, RunLine[]>()
  for (const run of runs) {
    const key = slotOf(run.job, run.shard)
    const slot = slots.get(key)
    if (slot === undefined) slots.set(key, [run])
    else slot.push(run)
  }
  for (const slot of slots.values()) slot.sort((a, b) => a.start - b.start || a.end - b.end)
  return slots
}

function slotOf(job: string, shard: number): string {
  return `${job} ${shard}`
}

function missedIn(
  job: string,
  shard: number,
  fires: readonly number[],
  slot: readonly RunLine[],
): Violation[] {
  const ran = new Set(slot.map(({ fireTime }) => fireTime))
  return fires
    .filter((fireTime) => !ran.has(fireTime))
    .map((fireTime) => ({ kind: 'missed', job, shard, fireTime }))
}

function repeatedIn(slot: readonly RunLine[]): Violation[] {
  const found: Violation[] = []
  const firsts = new Map<number, RunLine>()
  for (const run of slot) {
    const first = firsts.get(run.fireTime)
    if (first === undefined) firsts.set(run.fireTime, run)
    else found.push({ kind: 'repeated', first, second: run })
  }
  return found
}

/** Against the one that ends last, not the one before: a long run may overlap several short ones. */
function overlapsIn(slot: readonly RunLine[]): Violation[] {
  const found: Violation[] = []
  let longest: RunLine | undefined
  for (const run of slot) {
    if (longest !== undefined && run.start < longest.end) {
      found.push({ kind: 'overlapping', first: longest, second: run })
    }
    if (longest === undefined || run.end > longest.end) longest = run
  }
  return found
}
