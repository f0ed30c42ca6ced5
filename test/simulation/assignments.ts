/** 9: shards are spread evenly in the end, and move only for a reason. */
import type { History, Violation } from './history.ts'
import { heldAt, type JobLog, jobLogsOf, type Moment } from './job-log.ts'
import { isJava } from './leftovers.ts'
import { namespace } from './scenario.ts'

/** Something that makes shards move may wait so long for its resharding, in milliseconds. */
const timeout = 60_000

export function assignmentViolations(history: History): Violation[] {
  return history.expected
    .filter(({ isMixed }) => !isMixed)
    .flatMap(({ jobName, total }) => {
      const log = jobLogsOf(history).get(jobName)
      if (log === undefined) return []
      return [
        ...unbalanced(history, log, total),
        ...movedForNothing(history, log),
        ...tooManyReshardings(history, log),
      ]
    })
}

/** Every strategy gives one more shard at most to one instance than to another. */
function unbalanced({ tree, end }: History, log: JobLog, total: number): Violation[] {
  const { jobName } = log
  if (log.configs.at(-1)?.staticSharding === true) return []
  const root = `/${namespace}/${jobName}`
  const counts = new Map<string, number>()
  for (const path of tree.keys()) {
    if (!path.startsWith(`${root}/instances/`)) continue
    const instance = path.slice(`${root}/instances/`.length)
    if (tree.get(`${root}/servers/${serverOf(instance)}`) !== 'DISABLED') counts.set(instance, 0)
  }
  for (let shard = 0; shard < total; shard++) {
    const owner = tree.get(`${root}/sharding/${shard}/instance`) ?? ''
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  const all = [...counts.values()]
  if (Math.max(...all) - Math.min(...all) <= 1) return []
  const text = `the shards of ${jobName} are spread unevenly: ${all.join(', ')}`
  return [{ rule: '9', at: end, text, jobName }]
}

/** A shard leaves a living owner only if something has changed, and with static sharding not even then. */
function movedForNothing({ losses }: History, log: JobLog): Violation[] {
  const { jobName, owners } = log
  return [...owners].flatMap(([shard, values]) =>
    values.flatMap(({ moment, text: owner }, index): Violation[] => {
      const before = values[index - 1]
      if (before?.text === undefined || owner === undefined || owner === before.text) return []
      // A restored registry has sessions that nobody holds any more, until they expire.
      if (losses.some(({ at }) => at <= moment.at && moment.at < at + timeout)) return []
      if (isJava(owner) || !mayOwn(log, shard, before.text, moment)) return []
      const say = (why: string): Violation[] => {
        const text = `${jobName}/${shard} moves from ${before.text}, which lives, to ${owner}${why}`
        return [{ rule: '9', at: moment.at, text, jobName, shard }]
      }
      const config = log.configs.findLast(({ begun }) => begun.order < moment.order)
      if (config?.staticSharding === true) return say(' although sharding is static')
      const since = before.moment.at - timeout
      const isCaused = log.causes.some(({ at, order }) => at >= since && order <= moment.order)
      return isCaused ? [] : say(' for no reason')
    }),
  )
}

/** Each change, and each election, is followed by two reshardings at most: one more where shards had to wait. */
function tooManyReshardings({ end }: History, log: JobLog): Violation[] {
  const { jobName, reshardings, causes } = log
  const most = 2 * causes.length + 2
  if (reshardings <= most) return []
  const text = `${jobName} was resharded ${reshardings} times for ${causes.length} changes`
  return [{ rule: '9', at: end, text, jobName }]
}

/** Whether an instance could have kept a shard when it moved. */
function mayOwn(log: JobLog, shard: number, instance: string, { order }: Moment): boolean {
  const isDisabled = heldAt(log.disabledServers.get(serverOf(instance)), order) !== undefined
  const config = log.configs.findLast(({ begun }) => begun.order < order)
  const isThere = heldAt(log.instances.get(instance), order) !== undefined
  return isThere && !isDisabled && shard < (config?.total ?? 0)
}

function serverOf(instance: string): string {
  return instance.split('@-@')[0] ?? ''
}
