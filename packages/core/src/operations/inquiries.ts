/** What an operator asks: of one job, of all, of servers and of instances. */
import { readEach, readJobNames, readOne } from './catalog.ts'
import { detailOf, summaryOf } from './describe-job.ts'
import {
  instanceSummariesOf,
  membershipsOf,
  serverDetailOf,
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

export async function listJobs(registry: OperatorRegistry): Promise<JobSummary[]> {
  const jobNames = await readJobNames(registry)
  return readEach(registry, jobNames, 'states', (snapshot) =>
    summaryOf(snapshot, registry.estimate()),
  )
}

export async function describeJob(registry: OperatorRegistry, jobName: string): Promise<JobDetail> {
  return detailOf(await readOne(registry, jobName, 'full'), registry.estimate())
}

/** `hostNameOf`: undefined if nobody asks for the names. */
export async function listServers(
  registry: OperatorRegistry,
  hostNameOf: HostNameOf | undefined,
): Promise<ServerSummary[]> {
  const jobNames = await readJobNames(registry)
  const entries = (await readEach(registry, jobNames, 'brief', serverEntriesOf)).flat()
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
  const entries = await readEach(registry, jobNames, 'full', (snapshot) =>
    serverEntryOf(snapshot, server),
  )
  return serverDetailOf(server, entries, await hostNameOf(server))
}

export async function listInstances(registry: OperatorRegistry): Promise<InstanceSummary[]> {
  const jobNames = await readJobNames(registry)
  return instanceSummariesOf((await readEach(registry, jobNames, 'brief', membershipsOf)).flat())
}

/** The jobs that a server takes part in; a typed error if there is none. */
export async function jobsOfServer(registry: OperatorRegistry, server: string): Promise<string[]> {
  const known = new Set<string>()
  const jobNames = await readEach(registry, await readJobNames(registry), 'brief', ({ view }) => {
    const servers = serversOf(view)
    for (const ip of servers) known.add(ip)
    return servers.includes(server) ? view.jobName : undefined
  })
  if (jobNames.length === 0) throw unknownServer(server, [...known])
  return jobNames
}
