/** Carries out what was planned: for one job, or for every job that a server takes part in. */
import { isElasticJobError } from '../errors.ts'
import { isOutcomeUnknown } from '../registry/committer.ts'
import { say } from '../sentence.ts'
import { readOne } from './catalog.ts'
import type { Draft, Operator } from './draft.ts'
import { jobsOfServer } from './inquiries.ts'
import { requireServer } from './known.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import type { Action, Omission, OperationResult, Scope } from './result.ts'
import type { Extent, JobSnapshot } from './snapshot.ts'

/** So many jobs of a server are worked on at once. */
const jobsAtOnce = 20

/** Looks at a job, plans, and carries it out; again, from the look on, if it was overtaken. */
export function conduct<D extends Draft>(
  registry: OperatorRegistry,
  jobName: string,
  extent: Extent,
  plan: (snapshot: JobSnapshot, operator: Operator) => D | Promise<D>,
): Promise<D> {
  let uncertain: D | undefined
  return registry.persist(say`job ${jobName}`, async () => {
    const snapshot = await readOne(registry, jobName, extent)
    const draft = await plan(snapshot, { paths: snapshot.paths, make: registry.make })
    // The connection was lost before an answer, and there is nothing left to do: it had been done.
    if (draft.operations.length === 0) return uncertain ?? draft
    // A word that comes into being needs what stands above it.
    if (snapshot.view.word === undefined) await registry.ensureState()
    try {
      await registry.commit(draft.operations)
    } catch (error) {
      if (isOutcomeUnknown(error)) uncertain = draft
      throw error
    }
    return draft
  })
}

/**
 * The same for one job, or for all that a server takes part in. For one job what goes wrong is thrown;
 * of many, those that fail are named, and the others go on.
 */
export async function conductAll(
  registry: OperatorRegistry,
  action: Action,
  { job, server }: Scope,
  deed: (jobName: string, server: string | undefined) => Promise<Draft>,
): Promise<OperationResult> {
  if (job !== undefined) {
    if (server !== undefined) requireServer((await readOne(registry, job, 'brief')).view, server)
    return resultOf(action, [await deed(job, server)])
  }
  const jobNames = await jobsOfServer(registry, server)
  const drafts: Draft[] = []
  const failed: Omission[] = []
  for (let start = 0; start < jobNames.length; start += jobsAtOnce) {
    const some = jobNames.slice(start, start + jobsAtOnce)
    const results = await Promise.allSettled(some.map((jobName) => deed(jobName, server)))
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') drafts.push(result.value)
      else failed.push(failureOf(some[index] as string, server, result.reason))
    }
  }
  return resultOf(action, drafts, failed)
}

export function resultOf(
  action: Action,
  drafts: readonly Draft[],
  failed: readonly Omission[] = [],
): OperationResult {
  return {
    action,
    done: drafts.flatMap(({ done }) => done),
    unchanged: drafts.flatMap(({ unchanged }) => unchanged),
    skipped: drafts.flatMap(({ skipped }) => skipped),
    failed,
  }
}

function failureOf(jobName: string, server: string, error: unknown): Omission {
  const reason = error instanceof Error ? error.message : String(error)
  const said = isElasticJobError(error) ? error.said : undefined
  return { jobName, server, reason, ...(said === undefined ? {} : { said }), error }
}
