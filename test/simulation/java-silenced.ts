/**
 * Jobs that Java itself has silenced. When its connection breaks at the end of a run that it had taken over, the mark
 * stays, and Java takes away only those of the shards it owns. Whoever leads waits for the end of a run that is over,
 * and nobody but Java could know it.
 */
import type { History } from './history.ts'
import { isJava, lives } from './leftovers.ts'

export function silencedByJava(history: History): ReadonlySet<string> {
  const running = new Set(
    history.javaRuns
      .filter(({ end }) => end === undefined)
      .map(({ jobName, shard, instance }) => `${jobName}/${shard} ${instance}`),
  )
  const silenced = new Set<string>()
  for (const [path, instance] of history.tree) {
    const [, jobName = '', shard] = /^\/[^/]+\/([^/]+)\/sharding\/(\d+)\/running$/.exec(path) ?? []
    if (shard === undefined || !isJava(instance) || !lives(history, instance)) continue
    if (!running.has(`${jobName}/${shard} ${instance}`)) silenced.add(jobName)
  }
  return silenced
}
