/** A run goes on from the last offset that was saved for its shard, whoever saved it: none is lost, none goes back. */
import { byShard, type Facts, nameOf, type Run, type Violation } from './facts.ts'
import { isLostBetween, type RegistryLoss } from './registry-loss.ts'

export function offsetViolations(facts: Facts, losses: readonly RegistryLoss[]): Violation[] {
  const found = [...byShard(facts.runs).values()].flatMap((runs) => lostOffsets(runs, losses))
  for (const { event, payload } of facts.events) {
    if (event !== 'offset:refused' && event !== 'offset:stale') continue
    found.push({ rule: event, text: JSON.stringify(payload) })
  }
  return found
}

function lostOffsets(runs: readonly Run[], losses: readonly RegistryLoss[]): Violation[] {
  const found: Violation[] = []
  for (const run of runs) {
    for (const earlier of runs) {
      if (earlier === run || isLostBetween(losses, earlier.begin, run.begin)) continue
      const last = earlier.saved.findLast(({ at }) => at < run.begin)
      if (last === undefined || last.offset <= run.offset) continue
      const text = `${nameOf(run)} began with offset ${run.offset}, and ${nameOf(earlier)} had saved ${last.offset}`
      found.push({ rule: 'offset lost', text })
    }
  }
  return found
}
