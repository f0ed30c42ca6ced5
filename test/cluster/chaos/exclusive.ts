/**
 * No shard on two valid leases. A process that is stopped writes nothing down, so its silence proves
 * nothing; that its lease is over follows from the wire: it is over when the last write of its session that
 * was answered was sent so long ago that the session may end. What is asked of each run:
 *
 * - it begins on a valid lease, and no other run of the shard goes on that has one as well;
 * - its code is told to stop when the lease ends, or when its process wakes;
 * - from the moment at which the next run of the shard begins it does no work, except in the instant in which
 *   its process wakes: no library can speak before the timers of the code itself (for that moment there is
 *   the fencing token);
 * - and that token is larger than those of all runs before it.
 */
import { byShard, type Facts, nameOf, type Run, type Violation } from './facts.ts'
import { isLostBetween, type RegistryLoss } from './registry-loss.ts'
import type { Span } from './wire-log.ts'

export interface ExclusiveOptions {
  /** How late code may be told to stop: the time that it has for that before its session may end. */
  readonly abortTime: number
  /** Nothing is asked of two runs between which the registry's data was replaced. */
  readonly losses: readonly RegistryLoss[]
}

export function exclusiveViolations(facts: Facts, options: ExclusiveOptions): Violation[] {
  const found = facts.runs.flatMap((run) => leaseViolations(facts, run, options))
  for (const runs of byShard(facts.runs).values()) {
    for (const [index, run] of runs.entries()) {
      for (const earlier of runs.slice(0, index)) {
        if (isLostBetween(options.losses, earlier.begin, run.begin)) continue
        found.push(...pairViolations(facts, earlier, run, options))
      }
    }
  }
  return found
}

/** Of one run and its own lease. */
function leaseViolations(facts: Facts, run: Run, { abortTime }: ExclusiveOptions): Violation[] {
  const span = run.lease.find(([begin, end]) => begin <= run.begin && run.begin < end)
  if (span === undefined) {
    return [{ rule: 'lease', text: `${nameOf(run)} begins without a valid lease` }]
  }
  const lapse = span[1]
  const told = Math.min(run.aborted ?? Infinity, run.end)
  if (told <= awakeFrom(facts, run, lapse) + abortTime) return []
  const text = `${nameOf(run)} was told to stop at ${told}, and its lease ended at ${lapse.toFixed(0)}`
  return [{ rule: 'abort', text }]
}

/** Of a run and one that began before it. */
function pairViolations(
  facts: Facts,
  earlier: Run,
  run: Run,
  { abortTime }: ExclusiveOptions,
): Violation[] {
  const found: Violation[] = []
  if (run.token <= earlier.token) {
    const text = `${nameOf(run)} has the token ${run.token}, and ${nameOf(earlier)} before it ${earlier.token}`
    found.push({ rule: 'token', text })
  }
  if (earlier.end <= run.begin) return found
  if (firstCommon(validSpans(earlier), validSpans(run)) !== undefined) {
    const text = `${nameOf(earlier)} goes on beside ${nameOf(run)}, on leases that are both valid`
    found.push({ rule: 'two leases', text })
  }
  const late = earlier.ticks.find(
    (tick) => tick >= run.begin && tick > lastWake(facts, earlier, tick) + abortTime,
  )
  if (late !== undefined) {
    const text = `${nameOf(earlier)} works at ${late.toFixed(0)}, beside ${nameOf(run)}`
    found.push({ rule: 'work beside', text })
  }
  return found
}

/** When the run went on and its lease was valid. */
function validSpans({ begin, end, lease }: Run): Span[] {
  return lease
    .map(([from, to]): Span => [Math.max(from, begin), Math.min(to, end)])
    .filter(([from, to]) => from < to)
}

function firstCommon(one: readonly Span[], other: readonly Span[]): number | undefined {
  for (const [a, b] of one) {
    for (const [c, d] of other) if (Math.max(a, c) < Math.min(b, d)) return Math.max(a, c)
  }
  return undefined
}

/** That moment, or the one in which the process could do something again. */
function awakeFrom({ still }: Facts, { process }: Run, moment: number): number {
  let awake = moment
  // Spans overlap, and one stall follows the other on a machine that is short of time.
  for (const [from, to] of still[process] ?? []) {
    if (from <= awake + wakingTime && to > awake) awake = to
  }
  return awake
}

/** When its process woke last, before that moment; -Infinity if it never slept. */
function lastWake({ still }: Facts, { process }: Run, moment: number): number {
  const wakes = (still[process] ?? []).map(([, to]) => to).filter((to) => to <= moment + wakingTime)
  return Math.max(-Infinity, ...wakes)
}

/** A stall is written down by a timer of its own, a little after the others have run. */
const wakingTime = 60
