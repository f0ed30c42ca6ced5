/** The last runs of each job, collected from the shard states whenever these change. */
import type { RecentRun } from '../../contract/jobs.ts'

const kept = 20

export class RecentRuns {
  readonly #runs = new Map<string, readonly RecentRun[]>()

  of(jobName: string): readonly RecentRun[] {
    return this.#runs.get(jobName) ?? []
  }

  /** Newer data of a run replace the older data. */
  add(jobName: string, seen: readonly RecentRun[]): void {
    if (seen.length === 0) return
    const runs = new Map(this.of(jobName).map((run) => [run.runId, run]))
    for (const run of seen) {
      const known = runs.get(run.runId)
      // An end is never reverted: history and registry may be read in any order.
      if (known?.end === undefined || run.end !== undefined) runs.set(run.runId, run)
    }
    const inOrder = [...runs.values()].toSorted((a, b) => a.begin - b.begin || a.shard - b.shard)
    this.#runs.set(jobName, inOrder.slice(-kept))
  }

  forget(jobName: string): void {
    this.#runs.delete(jobName)
  }
}
