/** All jobs of a namespace, read in pieces: what is read of a job is kept no longer than it is looked at. */
import type { NodeReader } from './node-reader.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { type Extent, isGone, type JobSnapshot, readSnapshot } from './snapshot.ts'
import { unknownJob } from './known.ts'

/** So many jobs are read at once: their nodes are in memory together. */
const jobsAtOnce = 200

/** What stands below the namespace, and what is left of jobs that were removed in part. */
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

/** Who of ours is alive, read when this server has caught up; so is all that is read behind it. */
async function readAliveNow(registry: OperatorRegistry): Promise<ReadonlySet<string>> {
  const { reader, state } = registry
  const [, alive] = await Promise.all([registry.catchUp(), reader.children(state.alive)])
  return new Set(alive)
}

/** One job; a typed error if there is none of this name. */
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
 * What `look` makes of each job, by name; undefined for one that does not interest.
 * @param jobNames those of all jobs unless they are given
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
      // It may have gone since its name was read.
      if (isGone(snapshot)) continue
      const result = look(snapshot)
      if (result !== undefined) seen.push(result)
    }
  }
  return seen
}
