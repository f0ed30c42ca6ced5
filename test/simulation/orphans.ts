/** 1: while code of a shard runs in a process, nothing else of that shard begins there, whatever its lease. */
import type { BodyRun, Violation } from './history.ts'

/** `runs`: those that are written down. */
export function besideItself(runs: readonly BodyRun[]): Violation[] {
  const last = new Map<string, BodyRun>()
  const found: Violation[] = []
  for (const run of runs) {
    const { jobName, shard, process, begin: at } = run
    const key = `${process} ${jobName}/${shard}`
    const before = last.get(key)
    if (before !== undefined && (before.end ?? Infinity) > at) {
      const text = `run ${run.runId} begins on ${process} beside run ${before.runId} of the same shard, ${jobName}/${shard}`
      found.push({ rule: '1', at, text, jobName, shard })
    }
    if ((run.end ?? Infinity) > (before?.end ?? 0)) last.set(key, run)
  }
  return found
}
