/** The queries of operators: about one job, all jobs, servers and instances. */
import { readEach, readOne } from './catalog.ts'
import { detailOf, summaryOf } from './describe-job.ts'
import {
  instanceSummariesOf,
  membershipsOf,
  serverDetailOf,
  type ServerEntry,
  serverEntriesOf,
  serverEntryOf,
  serverSummariesOf,
} from './describe-server.ts'
import type {
  InstanceSummary,
  JobDetail,
  JobSummary,
  ServerDetail,
  ServerSummary,
} from './details.ts'
import { type HostNameOf, hostNamesOf } from './host-names.ts'
import { unknownServer } from './known.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { serversOf } from './server-status.ts'
import type { JobSnapshot } from './snapshot.ts'

export async function listJobs(registry: OperatorRegistry): Promise<JobSummary[]> {
  return readEach(registry, 'states', (snapshot) => summaryOf(snapshot, registry.estimate()))
}

export async function describeJob(registry: OperatorRegistry, jobName: string): Promise<JobDetail> {
  return detailOf(await readOne(registry, jobName, 'full'), registry.estimate())
}

/** `hostNameOf`: undefined if host names are not requested. */
export async function listServers(
  registry: OperatorRegistry,
  hostNameOf: HostNameOf | undefined,
): Promise<ServerSummary[]> {
  const entries = (await readEach(registry, 'brief', serverEntriesOf)).flat()
  const ips = [...new Set(entries.map(({ server }) => server))]
  const hostNames = hostNameOf === undefined ? new Map() : await hostNamesOf(ips, hostNameOf)
  return serverSummariesOf(entries, hostNames)
}

export async function describeServer(
  registry: OperatorRegistry,
  server: string,
  hostNameOf: HostNameOf,
): Promise<ServerDetail> {
  const jobNames = await jobsOfServer(registry, server)
  const entryOf = (snapshot: JobSnapshot): ServerEntry => serverEntryOf(snapshot, server)
  const entries = await readEach(registry, 'full', entryOf, jobNames)
  return serverDetailOf(server, entries, await hostNameOf(server))
}

export async function listInstances(registry: OperatorRegistry): Promise<InstanceSummary[]> {
  return instanceSummariesOf((await readEach(registry, 'brief', membershipsOf)).flat())
}

/** The jobs that a server takes part in; throws a typed error if the server is unknown. */
export async function jobsOfServer(registry: OperatorRegistry, server: string): Promise<string[]> {
  const known = new Set<string>()
  const jobNames = await readEach(registry, 'brief', ({ view }) => {
    const servers = serversOf(view)
    for (const ip of servers) known.add(ip)
    return servers.includes(server) ? view.jobName : undefined
  })
  if (jobNames.length === 0) throw unknownServer(server, [...known])
  return jobNames
}
