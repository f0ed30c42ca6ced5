/** Describes servers and instances for operators, combined from the data of each job. */
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { InstanceSummary, ServerDetail, ServerJob, ServerSummary } from './details.ts'
import { serversOf, serverStateOf } from './server-status.ts'
import type { JobSnapshot } from './snapshot.ts'

/** One job on one of its servers. */
export interface ServerEntry extends ServerJob {
  readonly server: string
}

export function serverEntriesOf(snapshot: JobSnapshot): ServerEntry[] {
  return serversOf(snapshot.view).map((ip) => serverEntryOf(snapshot, ip))
}

export function serverEntryOf(snapshot: JobSnapshot, ip: string): ServerEntry {
  return { server: ip, jobName: snapshot.view.jobName, ...serverStateOf(snapshot, ip) }
}

/** `entries`: the jobs of this server. */
export function serverDetailOf(
  server: string,
  entries: readonly ServerEntry[],
  hostName: string | undefined,
): ServerDetail {
  const instances = [...new Set(entries.flatMap((entry) => entry.instances))].toSorted()
  const jobs = entries.map((entry): ServerJob => {
    const { server: _, ...job } = entry
    return job
  })
  return {
    server,
    hostName,
    instances,
    jobNames: jobs.map(({ jobName }) => jobName),
    instanceCount: instances.length,
    jobCount: jobs.length,
    disabledJobCount: jobs.filter(({ enabled }) => !enabled).length,
    pausedJobCount: jobs.filter(({ paused }) => paused).length,
    crashedJobCount: jobs.filter(({ status }) => status === 'CRASHED').length,
    jobs,
  }
}

export function serverSummariesOf(
  entries: readonly ServerEntry[],
  hostNames: ReadonlyMap<string, string>,
): ServerSummary[] {
  const byServer = grouped(entries, ({ server }) => server)
  return [...byServer]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([server, some]) => {
      const { jobs: _, ...summary } = serverDetailOf(server, some, hostNames.get(server))
      return summary
    })
}

/** One job that an instance takes part in. */
export interface Membership {
  readonly instance: string
  readonly jobName: string
  readonly leads: boolean
}

export function membershipsOf({ view }: JobSnapshot): Membership[] {
  return [...view.instances].map((instance) => ({
    instance,
    jobName: view.jobName,
    leads: view.leader?.instance === instance,
  }))
}

export function instanceSummariesOf(memberships: readonly Membership[]): InstanceSummary[] {
  const byInstance = grouped(memberships, ({ instance }) => instance)
  return [...byInstance]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([instance, some]) => ({
      instance,
      server: serverOf(instance),
      java: isJavaInstance(instance),
      jobNames: some.map(({ jobName }) => jobName),
      leads: some.filter(({ leads }) => leads).map(({ jobName }) => jobName),
    }))
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return groups
}
