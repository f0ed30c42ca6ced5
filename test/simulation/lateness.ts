/** 8: when all is calm, every shard starts at its fire time: not before it, and hardly after it. */
import { byShard } from './by-shard.ts'
import type { History, Violation } from './history.ts'

/** How much earlier and later a run may start, in milliseconds: clocks are compared over a network. */
const earliest = -50
const latest = 1000

export function lateRuns(history: History): Violation[] {
  const shards = byShard(history.runs)
  return history.expected
    .filter(({ isMixed, monitorExecution }) => !isMixed && monitorExecution)
    .flatMap(({ jobName, total, fires }) => {
      const times = new Set(fires)
      return Array.from({ length: total }, (_, shard) => shards.get(`${jobName}/${shard}`) ?? [])
        .flat()
        .flatMap((run): Violation[] => {
          const isFirst = run.source === 'cron' && run.attempt === 1
          if (!isFirst || !times.has(run.fireTime)) return []
          const late = run.begin + history.assignment + history.registryAhead - run.fireTime
          if (late >= earliest && late <= latest) return []
          const { shard, runId, begin: at } = run
          const text = `run ${runId} (${jobName}/${shard}) starts ${late} ms after its fire time, and all is calm`
          return [{ rule: '8', at, text, jobName, shard }]
        })
    })
}
