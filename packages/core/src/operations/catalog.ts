/** Reads all jobs of a namespace in batches: a job's snapshot stays in memory no longer than its batch. */
import type { NodeReader } from './node-reader.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { type Extent, isGone, type JobSnapshot, readSnapshot } from './snapshot.ts'
import { unknownJob } from './known.ts'

/** The number of jobs read at once; their nodes are in memory together. */
const jobsAtOnce = 200

/**
 * The names of all jobs: those below the namespace, and those of partially removed jobs, of which only the job state is
 * left.
 */
export async function readJobNames({
  reader,
  root,
  state,
}: Pick<OperatorRegistry, 'root' | 'state'> & { readonly reader: NodeReader }): Promise<string[]> {
  const [jobs = [], states = []] = await Promise.all([
    reader.children(root),
    reader.children(state.jobs),
  ])
  return [...new Set([...jobs, ...states])].toSorted()
}

/**
 * The native instances that are alive. This read and all later ones happen after the ZooKeeper server has caught up.
 */
async function readAliveNow(registry: OperatorRegistry): Promise<ReadonlySet<string>> {
  const { reader, state } = registry
  const [, alive] = await Promise.all([registry.catchUp(), reader.children(state.alive)])
  return new Set(alive)
}

/** Reads one job; throws a typed error if it does not exist. */
export async function readOne(
  registry: OperatorRegistry,
  jobName: string,
  extent: Extent,
): Promise<JobSnapshot> {
  const alive = await readAliveNow(registry)
  const paths = registry.pathsOf(jobName)
  const snapshot = await readSnapshot(registry.reader, jobName, paths, alive, extent)
  if (isGone(snapshot)) {
    throw unknownJob(jobName, await readJobNames(registry))
  }
  return snapshot
}

/**
 * The results of `look` for each job, by name; jobs for which it returns undefined are left out.
 * @param jobNames the jobs to read; all jobs if undefined
 */
export async function readEach<T>(
  registry: OperatorRegistry,
  extent: Extent,
  look: (snapshot: JobSnapshot) => T | undefined,
  jobNames?: readonly string[],
): Promise<T[]> {
  const names = jobNames ?? (await readJobNames(registry))
  const alive = await readAliveNow(registry)
  const seen: T[] = []
  for (let start = 0; start < names.length; start += jobsAtOnce) {
    const some = names.slice(start, start + jobsAtOnce)
    const snapshots = await Promise.all(
      some.map((jobName) =>
        readSnapshot(registry.reader, jobName, registry.pathsOf(jobName), alive, extent),
      ),
    )
    for (const snapshot of snapshots) {
      // The job may have been removed after its name was read.
      if (isGone(snapshot)) continue
      const result = look(snapshot)
      if (result !== undefined) seen.push(result)
    }
  }
  return seen
}
