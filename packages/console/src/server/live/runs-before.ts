/** Fills the strips of recent runs with what a history knows of the time before the console looked. */
import type { HistoryStore } from '@elasticjob/tracing'

import type { RecentRun } from '../../contract/jobs.ts'
import type { NamespaceView } from './namespace-view.ts'

/** So many of the newest runs are looked at, of all jobs together. */
const lookedAt = 1000

export async function addRunsBefore(view: NamespaceView, history: HistoryStore): Promise<void> {
  const { rows } = await history.executions({}, { limit: lookedAt })
  const runs = new Map<string, RecentRun[]>()
  for (const { id, jobName, shardingItem, startTime, completeTime, outcome } of rows) {
    const run = { runId: id, shard: shardingItem, begin: startTime, end: completeTime, outcome }
    runs.set(jobName, [...(runs.get(jobName) ?? []), run])
  }
  for (const [jobName, some] of runs) view.addRuns(jobName, some)
}
