import { ElasticJobError } from '../errors.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import {
  type Changes,
  changeJobState,
  type ActionPlan,
  emptyPlan,
  type Operator,
  planOf,
  requireNotRemoving,
} from './action-plan.ts'
import { effectOn } from './result.ts'
import { instancesOn } from './server-status.ts'

/** The prefix of guard nodes below the shard states. Only the operator that owns the guard removes the job. */
const guardPrefix = 'removal-'

/** The guard node of one removal; its name is unique. */
export function guardOf({ paths }: Operator, name: string): string {
  return `${paths.shardStates}/${guardPrefix}${name}`
}

/**
 * Marks the job as being removed, with the guard of this removal. Native instances leave by themselves; for Java
 * instances the plan deletes the instance nodes, as Java's own tools do. The plan deletes the guards of earlier
 * removals, which stops them: of two concurrent removals, one could delete a job that was created again after the other
 * had finished.
 * @param beside the nodes below the shard states; undefined if that folder is missing
 */
export function planMark(
  view: JobView,
  operator: Operator,
  name: string,
  beside: readonly string[] | undefined,
): ActionPlan {
  const { jobName } = view
  const { paths } = operator
  const guard = guardOf(operator, name)
  const actionPlan = emptyPlan()
  actionPlan.operations.push(...changeJobState(view, operator, { removing: true }))
  if (view.jobState !== undefined && beside === undefined) {
    actionPlan.operations.push(part.create(paths.shardStates))
  }
  for (const other of beside ?? []) {
    if (other.startsWith(guardPrefix))
      actionPlan.operations.push(part.delete(`${paths.shardStates}/${other}`))
  }
  actionPlan.operations.push(part.create(guard))
  for (const instance of [...view.instances].toSorted()) {
    if (isJavaInstance(instance)) actionPlan.operations.push(part.delete(paths.instance(instance)))
    const messageParts = message('instance-leaving', { instance, jobName })
    actionPlan.done.push(effectOn({ jobName, server: serverOf(instance), instance }, messageParts))
  }
  return actionPlan
}

/** Removes the server's node and its entries in the job state. */
export function planServerRemoval(view: JobView, operator: Operator, server: string): ActionPlan {
  requireNotRemoving(view)
  const { jobName } = view
  const [back] = instancesOn(view, server)
  if (back !== undefined) {
    throw new ElasticJobError(
      'JOB_DEPARTURE_PENDING',
      message('instance-rejoined', { instance: back, jobName }),
    )
  }
  const messageParts = message('server-removed', { server, jobName })
  const deletion = view.servers.has(server) ? [part.delete(operator.paths.server(server))] : []
  const actionPlan = planOf(effectOn({ jobName, server }, messageParts), deletion)
  const forgotten = forget(view.jobState?.value ?? noJobState, server)
  if (Object.keys(forgotten).length > 0) {
    actionPlan.operations.push(...changeJobState(view, operator, forgotten))
  }
  return actionPlan
}

/** The changes that remove a server from a job state. */
function forget(jobState: JobState, server: string): Changes {
  const { pausedServers, resumedServers, shutdown, emptyServers } = jobState
  const isOther = (instance: string): boolean => serverOf(instance) !== server
  return {
    ...(pausedServers?.includes(server) === true
      ? { pausedServers: orNothing(pausedServers.filter((ip) => ip !== server)) }
      : {}),
    ...(shutdown?.every(isOther) === false
      ? { shutdown: orNothing(shutdown.filter(isOther)) }
      : {}),
    ...(resumedServers?.[server] === undefined
      ? {}
      : { resumedServers: without(resumedServers, server) }),
    ...(emptyServers?.[server] === undefined
      ? {}
      : { emptyServers: without(emptyServers, server) }),
  }
}

function orNothing(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list
}

function without(
  record: Readonly<Record<string, number>>,
  key: string,
): Readonly<Record<string, number>> | undefined {
  const left = Object.entries(record).filter(([name]) => name !== key)
  return left.length === 0 ? undefined : Object.fromEntries(left)
}
