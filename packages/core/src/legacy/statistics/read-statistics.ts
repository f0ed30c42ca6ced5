/** Reads the counts of instances. */
import { serverOf } from '../../job-tree/instance-id.ts'
import { JobPaths, StatePaths } from '../../job-tree/paths.ts'
import { nameOf } from '../../node-path.ts'
import { readNodes, type ReadParts } from '../../registry/read-nodes.ts'
import { read, toText } from '../../registry/transaction.ts'
import { type Counts, decodeCounts, type Tally } from './counts.ts'

/** The counts of a job on one instance. */
export interface InstanceStatistics {
  readonly instance: string
  readonly server: string
  /** The last interval with anything to count. */
  readonly interval: Counts & { readonly from: Date; readonly until: Date }
  /** The counts since the instance joined the job. */
  readonly total: Counts & { readonly since: Date }
}

/** The counts of a job on all instances of one server. */
export interface ServerStatistics {
  readonly server: string
  readonly instances: readonly string[]
  readonly interval: Counts & { readonly from: Date; readonly until: Date }
  readonly total: Counts & { readonly since: Date }
}

/**
 * Reads the counts of the living instances of a job, sorted by instance id. Instances that have counted nothing, or
 * whose job is not configured to count, are absent.
 */
export async function readStatistics(
  readParts: ReadParts,
  namespace: string,
  jobName: string,
): Promise<readonly InstanceStatistics[]> {
  const { statistics } = new JobPaths(namespace, new StatePaths(namespace), jobName)
  const [listed] = await readParts([read.children(statistics)])
  if (listed !== undefined && 'error' in listed && listed.error.code !== 'REGISTRY_NO_NODE') {
    throw listed.error
  }
  const instances = listed !== undefined && 'children' in listed ? listed.children : []
  const paths = instances.toSorted().map((instance) => `${statistics}/${instance}`)
  const nodes = await readNodes(readParts, paths)
  return [...nodes].flatMap(([path, { data }]) => statisticsIn(path, toText(data)))
}

/** The statistics in a node; none if the node is unreadable, because then no native instance has written it. */
function statisticsIn(path: string, text: string): InstanceStatistics[] {
  const { value } = decodeCounts(text, path)
  if (value === undefined) return []
  const instance = nameOf(path)
  const { interval, total } = value
  return [
    {
      instance,
      server: serverOf(instance),
      interval: {
        ...interval,
        from: new Date(interval.from),
        until: new Date(interval.until),
      },
      total: { ...total, since: new Date(total.since) },
    },
  ]
}

/** One entry for each server, as in 1.x: the sums, with the earliest and the latest times. */
export function statisticsByServer(
  statistics: readonly InstanceStatistics[],
): readonly ServerStatistics[] {
  const servers = new Map<string, InstanceStatistics[]>()
  for (const one of statistics) servers.set(one.server, [...(servers.get(one.server) ?? []), one])
  return [...servers].map(([server, of]) => ({
    server,
    instances: of.map(({ instance }) => instance),
    interval: {
      from: first(of.map(({ interval }) => interval.from)),
      until: last(of.map(({ interval }) => interval.until)),
      ...sumOf(of.map(({ interval }) => interval)),
    },
    total: {
      since: first(of.map(({ total }) => total.since)),
      ...sumOf(of.map(({ total }) => total)),
    },
  }))
}

function sumOf(all: readonly Counts[]): Counts {
  return {
    runs: tallyOf(all.map(({ runs }) => runs)),
    elements: tallyOf(all.map(({ elements }) => elements)),
  }
}

function tallyOf(all: readonly Tally[]): Tally {
  return all.reduce((a, b) => ({
    succeeded: a.succeeded + b.succeeded,
    failed: a.failed + b.failed,
  }))
}

function first(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map(Number)))
}

function last(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map(Number)))
}
