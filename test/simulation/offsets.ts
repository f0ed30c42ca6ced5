/** 6: a run starts with the offset that was saved last, and offsets never go back. */
import type { History, Violation } from './history.ts'
import { jobLogsOf, valueAt } from './job-log.ts'

export function offsetViolations(history: History): Violation[] {
  return [...lostOffsets(history), ...offsetsGoneBack(history)]
}

/**
 * Nobody but the run that holds a shard can save its offset: what the registry has at the claim is what the
 * run is given.
 */
function lostOffsets(history: History): Violation[] {
  const logs = jobLogsOf(history)
  const orders = new Map<string, number>()
  for (const { shardState, order } of history.states) {
    if (shardState.state === 'running' && !orders.has(shardState.run))
      orders.set(shardState.run, order)
  }
  return history.runs.flatMap((run): Violation[] => {
    const { jobName, shard, runId, attempt, process, begin: at } = run
    const order = orders.get(runId)
    if (order === undefined) return []
    const saved = valueAt(logs.get(jobName)?.offsets.get(shard), order)
    if (saved === run.offset) return []
    const text =
      `run ${runId} (${jobName}/${shard}, attempt ${attempt}, on ${process}) starts with offset ` +
      `${run.offset}, and ${saved} was saved last`
    return [{ rule: '6', at, text, jobName, shard }]
  })
}

function offsetsGoneBack(history: History): Violation[] {
  const free = new Set(
    history.expected.filter((job) => !job.monitorExecution).map((job) => job.jobName),
  )
  // Without claims two runs may save at once.
  const logs = [...jobLogsOf(history).values()].filter(({ jobName }) => !free.has(jobName))
  return logs.flatMap(({ jobName, offsets }) =>
    [...offsets].flatMap(([shard, values]) => {
      let last = 0
      return values.flatMap(({ moment, text }): Violation[] => {
        const before = last
        last = Number(text ?? 0)
        // What a registry has lost is lost.
        const isLoss = history.losses.some(({ at }) => at === moment.at)
        if (last >= before || isLoss) return []
        const told = `the offset of ${jobName}/${shard} goes back from ${before} to ${last}`
        return [{ rule: '6', at: moment.at, text: told, jobName, shard }]
      })
    }),
  )
}
