/** How a server stands in a job, in the words of 1.x. */
import { serverOf } from '../job-tree/instance-id.ts'
import { isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import { type RunsOfJob, runnerOf } from './runner.ts'

/** As the console of 1.x says it. SHUTDOWN: its instances left, or leave, because an operator asked them to. */
export type ServerStatus = 'READY' | 'RUNNING' | 'DISABLED' | 'PAUSED' | 'CRASHED' | 'SHUTDOWN'

/** The instances of a server that take part in a job, in order. */
export function instancesOn(view: JobView, ip: string): string[] {
  return [...view.instances].filter((instance) => serverOf(instance) === ip).toSorted()
}

/** All servers of a job: those that have a node, and those whose instances are there without one. */
export function serversOf(view: JobView): string[] {
  const ips = new Set([...view.servers.keys(), ...[...view.instances].map(serverOf)])
  return [...ips].toSorted()
}

/** A server in one job. */
export interface ServerState {
  /** As the console of 1.x says it. */
  readonly status: ServerStatus
  readonly enabled: boolean
  readonly paused: boolean
  readonly instances: readonly string[]
}

export function serverStateOf(job: RunsOfJob, ip: string): ServerState {
  const { view } = job
  return {
    status: serverStatus(job, ip),
    enabled: isServerEnabled(view, ip),
    paused: isPaused(view.jobState?.value ?? noJobState, ip),
    instances: instancesOn(view, ip),
  }
}

/** In the order of 1.x: whoever has left is not asked whether he is disabled. */
export function serverStatus(job: RunsOfJob, ip: string): ServerStatus {
  const { view } = job
  const jobState = view.jobState?.value ?? noJobState
  const instances = instancesOn(view, ip)
  const asked = (jobState.shutdown ?? []).filter((instance) => serverOf(instance) === ip)
  if (asked.length > 0 && instances.every((instance) => asked.includes(instance))) return 'SHUTDOWN'
  if (instances.length === 0) return 'CRASHED'
  if (!isServerEnabled(view, ip)) return 'DISABLED'
  if (isPaused(jobState, ip)) return 'PAUSED'
  return isRunningOn(job, ip) ? 'RUNNING' : 'READY'
}

function isRunningOn(job: RunsOfJob, ip: string): boolean {
  for (const shard of job.view.shards.keys()) {
    const runner = runnerOf(job, shard)
    if (runner !== undefined && serverOf(runner) === ip) return true
  }
  return false
}
