/** The status of a job. */
import { isServerEnabled } from '../job-tree/job-view.ts'
import { ownerOf } from '../sharding/needs.ts'
import type { RunsOfJob } from './runner.ts'
import { serversOf, serverStatus } from './server-status.ts'

/**
 * The status in the terms of the consoles of 2.x and 3.x; SHARDING_FLAG: the shards have to be assigned. Those consoles
 * have no equivalent of BROKEN: the configuration or a state of the job is unreadable.
 */
export type JobStatus = 'OK' | 'DISABLED' | 'CRASHED' | 'SHARDING_FLAG' | 'BROKEN'

/** The status in the terms of the console of 1.x. */
export type LegacyJobStatus = 'OK' | 'PARTIAL_ALIVE' | 'DISABLED' | 'ALL_CRASHED'

/** `total`: the number of shards; 0 if the configuration is unreadable. */
export function jobStatus({ view, broken }: RunsOfJob, total: number): JobStatus {
  if (broken.length > 0 || (view.config !== undefined && total === 0)) return 'BROKEN'
  if (view.instances.size === 0) return 'CRASHED'
  const servers = serversOf(view)
  if (servers.every((ip) => !isServerEnabled(view, ip))) return 'DISABLED'
  for (let shard = 0; shard < total; shard++) {
    const owner = ownerOf(view, shard)
    if (view.shards.get(shard)?.hasOwner !== true || owner === undefined) return 'SHARDING_FLAG'
    if (!view.instances.has(owner)) return 'SHARDING_FLAG'
  }
  return 'OK'
}

/** The status in the terms of 1.x. A job without any server counts as crashed. */
export function legacyJobStatus(job: RunsOfJob): LegacyJobStatus {
  const statuses = serversOf(job.view).map((ip) => serverStatus(job, ip))
  const isGone = statuses.filter((status) => status === 'CRASHED' || status === 'SHUTDOWN')
  if (isGone.length === statuses.length) return 'ALL_CRASHED'
  if (isGone.length > 0) return 'PARTIAL_ALIVE'
  return statuses.some((status) => status === 'DISABLED' || status === 'PAUSED') ? 'DISABLED' : 'OK'
}
