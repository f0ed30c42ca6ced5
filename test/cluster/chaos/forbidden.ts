/** What an operator has switched off does not start once the operator's command has returned. */
import type { ForbiddenSpan } from './expectations.ts'
import { type Facts, nameOf, type Run, type Violation } from './facts.ts'

export interface ForbiddenOptions {
  readonly forbidden: readonly ForbiddenSpan[]
  /** What a moment of the machine's time is in milliseconds since 1970. */
  readonly epochOf: (machineTime: number) => number
  /** How long after its claim a run may begin: the answer has to arrive. */
  readonly beginTime: number
}

export function forbiddenViolations(facts: Facts, options: ForbiddenOptions): Violation[] {
  const { forbidden, epochOf, beginTime } = options
  const found: Violation[] = []
  for (const run of facts.runs) {
    if (run.source === 'trigger' || wasStill(facts, run, beginTime)) continue
    const begin = epochOf(run.begin)
    const span = forbidden.find(
      ({ job, shard, from, to }) =>
        job === run.job &&
        (shard ?? run.shard) === run.shard &&
        from + beginTime < begin &&
        begin < to,
    )
    if (span === undefined) continue
    const text = `${nameOf(run)} began ${Math.round(begin - span.from)} ms after it was switched off`
    found.push({ rule: 'switched off', text })
  }
  return found
}

/** A process that was stopped between its claim and the code's begin has claimed in time. */
function wasStill({ still }: Facts, { process, begin }: Run, beginTime: number): boolean {
  return (still[process] ?? []).some(([from, to]) => from <= begin && begin - beginTime <= to)
}
