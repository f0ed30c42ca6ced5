/** 10: a manual run that is told to be complete has reached every shard that it was for. */
import { byShard } from './by-shard.ts'
import type { History, Violation } from './history.ts'
import { type CompletedRun, type JobLog, jobLogsOf, type Period } from './job-log.ts'

export function incompleteManualRuns(history: History): Violation[] {
  const shards = byShard(history.states)
  return history.expected
    .filter(({ isMixed, monitorExecution }) => !isMixed && monitorExecution)
    .flatMap(({ jobName }) => {
      const log = jobLogsOf(history).get(jobName)
      return (log?.completedRuns ?? []).flatMap((completed) => {
        const { run, completed: end } = completed
        return targetsOf(log as JobLog, completed).flatMap((shardingItem): Violation[] => {
          const isReached = shards
            .get(`${jobName}/${shardingItem}`)
            ?.some(({ shardState, order }) => shardState.round === run.id && order <= end.order)
          if (isReached === true) return []
          const text = `manual run ${run.id} of ${jobName} is complete, and never reached shard ${shardingItem}`
          return [{ rule: '10', at: end.at, text, jobName, shard: shardingItem }]
        })
      })
    })
}

/** The shards that it was for all the time. Those of instances may move, and are not judged. */
function targetsOf(log: JobLog, { run, begun, completed }: CompletedRun): number[] {
  if (run.instances !== undefined) return []
  const totals = log.configs
    .filter((one) => one.begun.order < completed.order)
    .filter((one) => (one.ended?.order ?? Infinity) > begun.order)
    .map(({ total }) => total)
  const wasDisabled = (periods: readonly Period[] | undefined): boolean =>
    periods?.some(
      (one) => one.begun.order < completed.order && (one.ended?.order ?? Infinity) > begun.order,
    ) === true
  return Array.from({ length: Math.min(...totals) }, (_, shardingItem) => shardingItem)
    .filter((shardingItem) => run.items?.includes(shardingItem) ?? true)
    .filter((shardingItem) => !wasDisabled(log.disabled.get(shardingItem)))
}
