/** The status of a server in a job, in the terms of 1.x. */
import { serverOf } from '../job-tree/instance-id.ts'
import { isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import { type RunsOfJob, runnerOf } from './runner.ts'

/**
 * The status in the terms of the console of 1.x. SHUTDOWN: its instances left or are leaving because an operator asked
 * them to.
 */
export type ServerStatus = 'READY' | 'RUNNING' | 'DISABLED' | 'PAUSED' | 'CRASHED' | 'SHUTDOWN'

/** The instances of a server that take part in a job, in order. */
export function instancesOn(view: JobView, ip: string): string[] {
  return [...view.instances].filter((instance) => serverOf(instance) === ip).toSorted()
}

/** All servers of a job: those with a node, and those of instances whose server has no node. */
export function serversOf(view: JobView): string[] {
  const ips = new Set([...view.servers.keys(), ...[...view.instances].map(serverOf)])
  return [...ips].toSorted()
}

/** A server in one job. */
export interface ServerState {
  /** The status in the terms of the console of 1.x. */
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

/** Checks in the order of 1.x: a server without instances is CRASHED or SHUTDOWN, even if it is disabled. */
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
