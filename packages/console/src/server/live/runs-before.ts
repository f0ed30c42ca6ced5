/** Fills the strips of recent runs from the history, for the time before the view existed. */
import type { HistoryStore } from '@elasticjob/tracing'

import type { RecentRun } from '../../contract/jobs.ts'
import type { NamespaceView } from './namespace-view.ts'

/** The number of latest runs that are read, over all jobs. */
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
