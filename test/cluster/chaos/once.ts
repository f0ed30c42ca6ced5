/** A time is begun once for each attempt, and never again after its end was recorded. */
import { type Facts, shardKey, nameOf, type Run, type Violation } from './facts.ts'
import { isLostBetween, type RegistryLoss } from './registry-loss.ts'

export function onceViolations(facts: Facts, losses: readonly RegistryLoss[]): Violation[] {
  return [...startedTwice(facts, losses), ...repeatedAfterEnd(facts, losses)]
}

function startedTwice({ runs }: Facts, losses: readonly RegistryLoss[]): Violation[] {
  const found: Violation[] = []
  const starts = new Map<string, Run>()
  for (const run of runs) {
    const key = `${timeKey(run)} #${run.attempt}`
    const first = starts.get(key)
    if (first !== undefined && !isLostBetween(losses, first.begin, run.begin)) {
      const text = `${nameOf(run)} is the same attempt as ${nameOf(first)}`
      found.push({ rule: 'started twice', text })
    }
    starts.set(key, run)
  }
  return found
}

/** An end that the registry knows is told by `run:recorded`; one that was cut short is not an end. */
function repeatedAfterEnd({ runs, events }: Facts, losses: readonly RegistryLoss[]): Violation[] {
  const ended = new Map<string, { readonly at: number; readonly run: string }>()
  const found: Violation[] = []
  for (const { at, event, payload } of events) {
    if (event !== 'run:recorded') continue
    if (payload['outcome'] !== 'success' && payload['outcome'] !== 'failure') continue
    const key = timeKey({
      job: String(payload['jobName']),
      shard: Number(payload['shardingItem']),
      fireTime: Number(payload['fireTime']),
    })
    const run = String(payload['runId'])
    const first = ended.get(key)
    if (first === undefined || isLostBetween(losses, first.at, at)) ended.set(key, { at, run })
    else if (first.run !== run) {
      found.push({ rule: 'ended twice', text: `${key} was ended by ${first.run} and by ${run}` })
    }
  }
  for (const run of runs) {
    const end = ended.get(timeKey(run))
    if (end === undefined || end.run === run.run || run.begin <= end.at) continue
    if (isLostBetween(losses, end.at, run.begin)) continue
    const text = `${nameOf(run)} repeats what ${end.run} had done at ${end.at.toFixed(0)}`
    found.push({ rule: 'repeated', text })
  }
  return found
}

function timeKey(run: {
  readonly job: string
  readonly shard: number
  readonly fireTime: number
}): string {
  return `${shardKey(run)} at ${run.fireTime}`
}
