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

/** The names of the guards below the shard states: whose it is, he removes the job. */
const guardPrefix = 'removal-'

/** The node that one operator has made who removes a job; no other one ever has its name. */
export function guardOf({ paths }: Operator, name: string): string {
  return `${paths.shardStates}/${guardPrefix}${name}`
}

/**
 * Says that the job is being removed, and by whom: ours leave it, and Java's are sent away as Java's own
 * tools do it. Whoever removed it before us has to stop: of two, one could delete what was made anew after
 * the other had finished.
 * @param beside what stands below the shard states; undefined if that folder is missing
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

/** The server's node, and whatever the job state says of it. */
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
