/** How a job stands. */
import { isServerEnabled } from '../job-tree/job-view.ts'
import { ownerOf } from '../sharding/needs.ts'
import type { RunsOfJob } from './runner.ts'
import { serversOf, serverStatus } from './server-status.ts'

/**
 * As the consoles of 2.x and 3.x say it; SHARDING_FLAG: the shards have to be assigned. Theirs have no state for
 * BROKEN: the configuration or a state of the job cannot be read.
 */
export type JobStatus = 'OK' | 'DISABLED' | 'CRASHED' | 'SHARDING_FLAG' | 'BROKEN'

/** As the console of 1.x says it. */
export type LegacyJobStatus = 'OK' | 'PARTIAL_ALIVE' | 'DISABLED' | 'ALL_CRASHED'

/** `total`: the number of its shards; 0 if the configuration cannot be read. */
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

/** A job without any server is not well, though none of its servers is ill. */
export function legacyJobStatus(job: RunsOfJob): LegacyJobStatus {
  const statuses = serversOf(job.view).map((ip) => serverStatus(job, ip))
  const isGone = statuses.filter((status) => status === 'CRASHED' || status === 'SHUTDOWN')
  if (isGone.length === statuses.length) return 'ALL_CRASHED'
  if (isGone.length > 0) return 'PARTIAL_ALIVE'
  return statuses.some((status) => status === 'DISABLED' || status === 'PAUSED') ? 'DISABLED' : 'OK'
}
