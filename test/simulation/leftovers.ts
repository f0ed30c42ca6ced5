/** Nothing stays behind in the tree: no mark of a run that is over, no flag, no latch, nobody who is gone. */
import type { History, Violation, SeenState } from './history.ts'
import { namespace } from './scenario.ts'

export function leftovers(history: History): Violation[] {
  const found: Violation[] = []
  const say = (path: string, why: string): void => {
    found.push({ rule: '3', at: history.end, text: `${path} ${why}`, ...placeOf(path) })
  }
  const running = new Set(
    [...history.runs, ...history.javaRuns]
      .filter(({ end }) => end === undefined || end > history.end - grace)
      .map(({ jobName, shard }) => `${jobName}/${shard}`),
  )
  const isBusy = (jobName: string | undefined, shard: string | undefined): boolean =>
    running.has(`${jobName}/${shard}`)
  const totals = new Map(history.expected.map(({ jobName, total }) => [jobName, total]))
  for (const [path, data] of history.tree) {
    const parts = path.split('/')
    const [, , jobName, folder, shard, mark] = parts
    if (/\/(necessary|processing)$/.test(path)) say(path, 'stays behind')
    if (/\/latch\/.+/.test(path)) say(path, 'stays behind')
    if (/\/leader\/failover\/items\/\d+$/.test(path)) say(path, 'stays behind')
    // One for a Java instance is that instance's to take away, and nobody else's.
    if (folder === 'trigger' && shard !== undefined && !isJava(shard)) say(path, 'stays behind')
    if (folder === 'instances' && shard !== undefined && !lives(history, shard)) {
      say(path, 'is of nobody who lives')
    }
    if (folder === 'sharding' && shard !== undefined) {
      if (Number(shard) >= (totals.get(jobName ?? '') ?? 0)) say(path, 'is surplus')
      else if (mark === 'instance' && !lives(history, data)) say(path, `names ${data}, who is gone`)
      else if (mark === 'misfire' && isJava(ownerOf(history, jobName, shard))) {
        // Java clears it with its next run, unless misfires were switched off.
      } else if (mark !== undefined && mark !== 'instance' && !isBusy(jobName, shard)) {
        say(path, 'stays behind')
      }
    }
    if (jobName === 'alive' && folder !== undefined && !lives(history, folder)) {
      say(path, 'is of nobody who lives')
    }
    if (jobName === 'jobs' && folder !== undefined) {
      const { stops } = JSON.parse(data || '{}') as { stops?: Record<string, string> }
      const left = Object.keys(stops ?? {}).filter((one) => !isBusy(folder, one))
      if (left.length > 0) say(path, `wants to stop runs of ${left.join()}, which are over`)
    }
    // Of a shard that does not exist any more the state stays as it was.
    if (jobName === 'execution' && Number(shard) < (totals.get(folder ?? '') ?? 0)) {
      const { state } = JSON.parse(data) as SeenState
      const failsOver = history.expected.find((job) => job.jobName === folder)?.failover === true
      if (state === 'running' && !isBusy(folder, shard)) say(path, 'says that it runs')
      // Java writes no state: what it owns, or has taken over, speaks of the last run of ours.
      const isOfJava = isJava(ownerOf(history, folder, shard ?? ''))
      if (state === 'crashed' && failsOver && !isOfJava) say(path, 'waits to be taken over')
    }
  }
  for (const { jobName } of history.expected) {
    const path = [...history.tree.keys()].find((one) =>
      one.endsWith(`/${jobName}/leader/election/instance`),
    )
    if (path === undefined) say(`job ${jobName}`, 'has no leader')
  }
  return found
}

/** The job that a node belongs to, and its shard. */
function placeOf(path: string): { jobName?: string; shard?: number } {
  const [, root, first, second, third] = path.split('/')
  const isOfJob = root === namespace
  const isShardState = root === `${namespace}.state` && first === 'execution'
  const jobName = isOfJob ? first : isShardState ? second : undefined
  const shard = isShardState || second === 'sharding' ? Number(third) : Number.NaN
  return {
    ...(jobName === undefined ? {} : { jobName }),
    ...(Number.isNaN(shard) ? {} : { shard }),
  }
}

/** A run that ended so shortly before may not have been written down yet. */
const grace = 500

function ownerOf({ tree }: History, jobName: string | undefined, shard: string): string {
  return tree.get(`/${namespace}/${jobName}/sharding/${shard}/instance`) ?? ''
}

export function lives(history: History, instance: string): boolean {
  // Java has no node of its own beside those of its jobs.
  if (isJava(instance)) {
    return [...history.tree.keys()].some((path) => path.endsWith(`/instances/${instance}`))
  }
  const session = history.sessionOf.get(instance)
  if (session === undefined) return false
  return history.closed.get(session)?.some(({ era }) => era === history.era) !== true
}

/** `{ip}@-@{digits}` */
export function isJava(instance: string): boolean {
  return /@-@\d+$/.test(instance)
}
