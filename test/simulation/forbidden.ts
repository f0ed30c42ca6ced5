/**
 * 7: what an operator has disabled or paused is not claimed afterwards, by however slow a process. If the registry lost
 * data meanwhile, that holds from the moment the process has heard of the command.
 */
import type { Heard, History, Violation, StateChange } from './history.ts'
import { heldAt, type JobLog, jobLogsOf, type Period } from './job-log.ts'
import { isJava } from './leftovers.ts'

/** What a process had planned before it heard of the command may still be sent, after a read or two. */
const underWay = 10_000

/** Why a shard must not run, and since when. */
interface Ban {
  readonly period: Period
  readonly why: string
}

export function forbiddenRuns(history: History): Violation[] {
  const logs = jobLogsOf(history)
  const seen = new Set<string>()
  const bodies = new Map(history.runs.map((run) => [run.runId, run]))
  const found: Violation[] = []
  for (const change of history.states) {
    const { shardState, jobName, shard, order } = change
    const log = logs.get(jobName)
    if (shardState.state !== 'running' || seen.has(shardState.run) || log === undefined) continue
    seen.add(shardState.run)
    const run = bodies.get(shardState.run)
    if (run === undefined || change.isRestored === true) continue
    const heard = history.heard.get(run.process) ?? []
    const sentAt = history.sentAt.get(order) ?? 0
    for (const { period, why } of bansOf(log, change)) {
      // The state of a job that was restored may have the version again that a claim was planned on.
      const isLost = history.losses.some(({ at }) => period.begun.at <= at && at <= change.at)
      const since = isLost ? heardAt(heard, period.begun.order) : -Infinity
      if (since === undefined || sentAt <= since + underWay) continue
      const text = `run ${shardState.run} (${jobName}/${shard}, on ${run.process}) begins although ${why}`
      found.push({ rule: '7', at: run.begin, text, jobName, shard })
    }
  }
  return found
}

function bansOf(log: JobLog, { shardState, shard, order }: StateChange): Ban[] {
  const ip = shardState.instance.split('@-@')[0] ?? ''
  const bans: (Ban | undefined)[] = [
    banOf(log.disabled.get(shard), order, 'its shard is disabled'),
    banOf(log.disabledServers.get(ip), order, `server ${ip} is disabled`),
  ]
  // Java's instances do not know it: on a new server they start enabled.
  if (!isJava(shardState.instance)) bans.push(banOf(log.disabledJob, order, 'its job is disabled'))
  // A pause is for the schedule: manual runs go on.
  if (shardState.source !== 'trigger' && !isJava(shardState.instance)) {
    bans.push(
      banOf(log.paused, order, 'its job is paused'),
      banOf(log.pausedServers.get(ip), order, `its job is paused on ${ip}`),
    )
  }
  return bans.filter((ban) => ban !== undefined)
}

function banOf(periods: Period[] | undefined, order: number, why: string): Ban | undefined {
  const period = heldAt(periods, order)
  return period === undefined ? undefined : { period, why }
}

/** When a process first saw the registry as it was after a transaction. */
export function heardAt(heard: readonly Heard[], order: number): number | undefined {
  let low = 0
  let high = heard.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((heard[middle]?.[1] ?? 0) < order) low = middle + 1
    else high = middle
  }
  return heard[low]?.[0]
}
