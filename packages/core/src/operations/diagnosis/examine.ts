/** Reads the inputs of a diagnosis and runs it. */
import { isElasticJobError } from '../../errors.ts'
import { noJobState } from '../../job-tree/job-state.ts'
import { readEach, readJobNames, readOne } from '../catalog.ts'
import { detailOf } from '../describe-job.ts'
import { listNamespaces } from '../namespaces.ts'
import type { OperatorRegistry } from '../operator-registry.ts'
import type { JobSnapshot } from '../snapshot.ts'
import { findingOfAbsence, type Surroundings } from './absence.ts'
import { diagnose, type Diagnosis, ill } from './diagnose.ts'

export async function examineJob(registry: OperatorRegistry, jobName: string): Promise<Diagnosis> {
  let snapshot: JobSnapshot
  try {
    snapshot = await readOne(registry, jobName, 'full')
  } catch (error) {
    if (!isElasticJobError(error, 'JOB_NOT_FOUND')) throw error
    return ill(jobName, findingOfAbsence(jobName, await lookAround(registry)))
  }
  // Read the registry's time only now: it requires a write, and nothing should be left behind where no job exists.
  const now = await registry.now()
  return examine(snapshot, now, registry.clock.now() - now)
}

/** Diagnoses all jobs; if there is none, the reason for that. */
export async function examineAll(registry: OperatorRegistry): Promise<Diagnosis[]> {
  const jobNames = await readJobNames(registry)
  if (jobNames.length === 0) {
    return [ill(undefined, findingOfAbsence(undefined, await lookAround(registry)))]
  }
  const now = await registry.now()
  const ahead = registry.clock.now() - now
  return readEach(registry, 'full', (snapshot) => examine(snapshot, now, ahead), jobNames)
}

function examine(snapshot: JobSnapshot, now: number, clockDifference: number): Diagnosis {
  const { config, jobState, unproven } = snapshot.view
  const { schedule, resumed = 0 } = jobState?.value ?? noJobState
  const since = Math.max(schedule?.since ?? config?.mtime ?? 0, resumed)
  return diagnose(detailOf(snapshot, now), {
    now: new Date(now),
    clockDifference,
    since: new Date(since),
    unproven: [...unproven].toSorted(),
  })
}

async function lookAround(registry: OperatorRegistry): Promise<Surroundings> {
  const { namespace, reader, root } = registry
  const jobNames = await reader.children(root)
  const { withJobs, unreadable } = await listNamespaces(registry)
  const names = withJobs.filter((name) => name !== namespace)
  const others = await Promise.all(
    names.map(async (name) => [name, (await reader.children(`/${name}`)) ?? []] as const),
  )
  return { namespace, jobNames, others: new Map(others), unreadable }
}
