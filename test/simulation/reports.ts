/** 3: what is told of fire times is true: one that was told to be missed is never run. */
import { byShard } from './by-shard.ts'
import { correctionsOf, covers } from './corrections.ts'
import type { BodyRun, History, Violation } from './history.ts'

/** Fire times from the first to the last, of one shard. */
export interface MissedFires {
  readonly at: number
  readonly jobName: string
  readonly shard: number
  readonly first: number
  readonly last: number
}

interface Payload {
  readonly jobName: string
  readonly shardingItem: number
  readonly first?: number
  readonly fireTime: number
}

export function missedFiresOf({ told }: History, ...names: readonly string[]): MissedFires[] {
  return told
    .filter(({ name }) => names.includes(name))
    .map(({ at, text }) => {
      const {
        jobName,
        shardingItem: shard,
        fireTime,
        first = fireTime,
      } = JSON.parse(text) as Payload
      return { at, jobName, shard, first, last: fireTime }
    })
}

/** Runs that stand for a fire time: those of a manual run, also if they were taken over, do not. */
export function scheduledRuns({ runs, states }: History): readonly BodyRun[] {
  const manual = new Set<string>()
  for (const { shardState } of states)
    if (shardState.source === 'trigger') manual.add(shardState.run)
  return runs.filter(({ source, runId }) => source !== 'trigger' && !manual.has(runId))
}

export function falseReports(history: History): Violation[] {
  const runs = byShard(scheduledRuns(history))
  const mixed = new Set(history.expected.filter((job) => job.isMixed).map((job) => job.jobName))
  return missedFiresOf(history, 'fire:missed').flatMap((missed): Violation[] => {
    const { jobName, shard, at, first, last } = missed
    // Of what Java ran nobody knows.
    if (mixed.has(jobName)) return []
    // A fire time that came again is another one.
    const corrections = correctionsOf(history).get(`${jobName}/${shard}`) ?? []
    const run = runs.get(`${jobName}/${shard}`)?.find((one) => {
      const isMeant = first <= one.fireTime && one.fireTime <= last
      // What a registry has lost, it does not know.
      if (!isMeant || history.losses.some((loss) => one.begin <= loss.at && loss.at <= at)) {
        return false
      }
      return !corrections.some(
        (two) => covers(two, one.fireTime) && one.begin < two.change.at !== at < two.change.at,
      )
    })
    if (run === undefined) return []
    const time = run.fireTime - history.assignment
    const text = `${jobName}/${shard} was told at ${at} to have missed ${time}, which runs at ${run.begin}`
    return [{ rule: '3', at, text, jobName, shard }]
  })
}
