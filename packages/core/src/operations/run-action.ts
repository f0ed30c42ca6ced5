/** Runs an action: for one job, or for every job that a server takes part in. */
import { brokenJob, isElasticJobError } from '../errors.ts'
import { stopsJob, whyBroken } from '../job-tree/broken-node.ts'
import { message } from '../message.ts'
import { messageOf } from '../thrown.ts'
import { readOne } from './catalog.ts'
import type { ActionPlan, Operator } from './action-plan.ts'
import { jobsOfServer } from './inquiries.ts'
import { requireServer } from './known.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import type { Action, Omission, OperationResult, Scope, Target } from './result.ts'
import type { Extent, JobSnapshot } from './snapshot.ts'

/** The number of jobs of a server that are processed at once. */
const jobsAtOnce = 20

/** Reads a job, plans and commits. Starts again with the read after a lost race. */
export function runAction<D extends ActionPlan>(
  registry: OperatorRegistry,
  jobName: string,
  extent: Extent,
  plan: (snapshot: JobSnapshot, operator: Operator) => D | Promise<D>,
  purpose: 'uses' | 'repairs' = 'uses',
): Promise<D> {
  return registry.carryOut(message('job-subject', { jobName }), async () => {
    const snapshot = await readOne(registry, jobName, extent)
    const stopped = snapshot.broken.find(stopsJob)
    if (stopped !== undefined && purpose === 'uses') throw brokenJob(jobName, whyBroken(stopped))
    const actionPlan = await plan(snapshot, { paths: snapshot.paths })
    // A new job state needs its parent folders.
    const isStateNew = snapshot.view.jobState === undefined && purpose === 'uses'
    if (isStateNew && actionPlan.operations.length > 0) await registry.ensureState()
    return actionPlan
  })
}

/**
 * Runs an action for one job, or for all jobs that a server takes part in. For one job, errors are thrown. For many,
 * the result names the failed jobs, and the others continue.
 */
export async function runActions(
  registry: OperatorRegistry,
  action: Action,
  { job, server }: Scope,
  perform: (jobName: string, server: string | undefined) => Promise<ActionPlan>,
): Promise<OperationResult> {
  if (job !== undefined) {
    if (server !== undefined) requireServer((await readOne(registry, job, 'brief')).view, server)
    return resultOf(action, [await perform(job, server)])
  }
  const jobNames = await jobsOfServer(registry, server)
  const actionPlans: ActionPlan[] = []
  const failed: Omission[] = []
  for (let start = 0; start < jobNames.length; start += jobsAtOnce) {
    const some = jobNames.slice(start, start + jobsAtOnce)
    const results = await Promise.allSettled(some.map((jobName) => perform(jobName, server)))
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') actionPlans.push(result.value)
      else failed.push(failureOf({ jobName: some[index] as string, server }, result.reason))
    }
  }
  return resultOf(action, actionPlans, failed)
}

export function resultOf(
  action: Action,
  actionPlans: readonly ActionPlan[],
  failed: readonly Omission[] = [],
): OperationResult {
  return {
    action,
    done: actionPlans.flatMap(({ done }) => done),
    unchanged: actionPlans.flatMap(({ unchanged }) => unchanged),
    skipped: actionPlans.flatMap(({ skipped }) => skipped),
    failed,
  }
}

export function failureOf(target: Target, error: unknown): Omission {
  const reason = messageOf(error)
  const messageParts = isElasticJobError(error) ? error.messageParts : undefined
  return { ...target, reason, ...(messageParts === undefined ? {} : { messageParts }), error }
}
