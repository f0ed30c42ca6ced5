/** Checks whether a fire time was missed, and whether there is a next one. */
import { parseCron } from '../../cron/cron.ts'
import { isJavaInstance } from '../../job-tree/instance-id.ts'
import { message } from '../../message.ts'
import type { ShardDetail } from '../details.ts'
import type { Check } from './check.ts'
import { finding, shardsText } from './finding.ts'

/** A fire time without a run is reported as missed after this time. */
const grace = 5_000

const noCron: Check = ({ cron, problem }) =>
  cron !== undefined || problem !== undefined
    ? undefined
    : finding({
        cause: 'no-cron',
        severity: 'info',
        what: message('cron-absent'),
        remedy: message('cron-absent-remedy'),
      })

const neverAgain: Check = ({ cron, timeZone, problem }, { now }) => {
  if (cron === undefined || problem !== undefined) return undefined
  if (parseCron(cron, { timeZone }).next(now) !== null) return undefined
  return finding({
    cause: 'never-fires-again',
    severity: 'error',
    what: message('cron-exhausted', { cron }),
    remedy: message('cron-exhausted-remedy'),
  })
}

const missed: Check = (job, { now, since }) => {
  const { cron, timeZone, problem, configuration } = job
  if (cron === undefined || problem !== undefined || job.paused) return undefined
  if (configuration?.monitorExecution !== true) return undefined
  const end = now.getTime() - grace
  const latest = parseCron(cron, { timeZone }).latestAtOrBefore(end, since.getTime())
  if (latest === undefined) return undefined
  const silent = job.shards.filter((shard) => isSilent(shard, latest))
  if (silent.length === 0) return undefined
  const shardingItems = shardsText(silent.map(({ shard: shardingItem }) => shardingItem))
  const time = new Date(latest).toISOString()
  return finding({
    cause: 'missed',
    severity: 'warning',
    what: message('fire-missed', { shards: shardingItems, time }),
    remedy: message('fire-missed-remedy'),
  })
}

/** Whether a shard has not run at a fire time for no known reason. Java records no runs, so its shards do not count. */
function isSilent({ state, run, owner }: ShardDetail, time: number): boolean {
  if (state !== 'pending' || owner === undefined || isJavaInstance(owner)) return false
  if (run === undefined) return true
  return (run.fireTime?.getTime() ?? 0) < time && run.begin.getTime() < time
}

export const scheduleChecks: readonly Check[] = [noCron, neverAgain, missed]
