/** Nothing stays behind in the tree: no mark of a run that is over, no flag, no latch, nobody who is gone. */
import type { History, Violation, Word } from './history.ts'
import { namespace } from './scenario.ts'

export function leftovers(history: History): Violation[] {
  const found: Violation[] = []
  const say = (path: string, why: string): void => {
    found.push({ rule: '3', at: history.end, text: `${path} ${why}`, ...placeOf(path) })
  }
  const running = new Set(
    [...history.runs, ...history.javaRuns]
      .filter(({ end }) => end === undefined || end > history.end - grace)
      .map(({ jobName, item }) => `${jobName}/${item}`),
  )
  const isBusy = (jobName: string | undefined, item: string | undefined): boolean =>
    running.has(`${jobName}/${item}`)
  const totals = new Map(history.expected.map(({ jobName, total }) => [jobName, total]))
  for (const [path, data] of history.tree) {
    const parts = path.split('/')
    const [, , jobName, folder, item, mark] = parts
    if (/\/(necessary|processing)$/.test(path)) say(path, 'stays behind')
    if (/\/latch\/.+/.test(path)) say(path, 'stays behind')
    if (/\/leader\/failover\/items\/\d+$/.test(path)) say(path, 'stays behind')
    // One for a Java instance is that instance's to take away, and nobody else's.
    if (folder === 'trigger' && item !== undefined && !isJava(item)) say(path, 'stays behind')
    if (folder === 'instances' && item !== undefined && !lives(history, item)) {
      say(path, 'is of nobody who lives')
    }
    if (folder === 'sharding' && item !== undefined) {
      if (Number(item) >= (totals.get(jobName ?? '') ?? 0)) say(path, 'is surplus')
      else if (mark === 'instance' && !lives(history, data)) say(path, `names ${data}, who is gone`)
      else if (mark === 'misfire' && isJava(ownerOf(history, jobName, item))) {
        // Java clears it with its next run, unless misfires were switched off.
      } else if (mark !== undefined && mark !== 'instance' && !isBusy(jobName, item)) {
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
    // Of an item that does not exist any more the word stays as it was.
    if (jobName === 'execution' && Number(item) < (totals.get(folder ?? '') ?? 0)) {
      const { state } = JSON.parse(data) as Word
      const failsOver = history.expected.find((job) => job.jobName === folder)?.failover === true
      if (state === 'running' && !isBusy(folder, item)) say(path, 'says that it runs')
      // Java writes no word: what it owns, or has taken over, speaks of the last run of ours.
      const isOfJava = isJava(ownerOf(history, folder, item ?? ''))
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

/** The job that a node belongs to, and its item. */
function placeOf(path: string): { jobName?: string; item?: number } {
  const [, root, first, second, third] = path.split('/')
  const isOfJob = root === namespace
  const isWord = root === `${namespace}.state` && first === 'execution'
  const jobName = isOfJob ? first : isWord ? second : undefined
  const item = isWord || second === 'sharding' ? Number(third) : Number.NaN
  return { ...(jobName === undefined ? {} : { jobName }), ...(Number.isNaN(item) ? {} : { item }) }
}

/** A run that ended so shortly before may not have been written down yet. */
const grace = 500

function ownerOf({ tree }: History, jobName: string | undefined, item: string): string {
  return tree.get(`/${namespace}/${jobName}/sharding/${item}/instance`) ?? ''
}

export function lives(history: History, instance: string): boolean {
  // Java has no node of its own beside those of its jobs.
  if (isJava(instance)) {
    return [...history.tree.keys()].some((path) => path.endsWith(`/instances/${instance}`))
  }
  const session = history.sessionOf.get(instance)
  return session !== undefined && !history.closed.has(session)
}

/** `{ip}@-@{digits}` */
export function isJava(instance: string): boolean {
  return /@-@\d+$/.test(instance)
}
