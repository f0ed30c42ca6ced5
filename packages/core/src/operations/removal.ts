/**
 * Removes a job, or a server of a job, from the registry, and leaves nothing behind that would bring it back.
 *
 * A job is marked first. From then on no native instance registers in it or creates it again, and all leave it. The
 * mark is deleted last, so that another removal can finish an interrupted one.
 */
import { ElasticJobError, isElasticJobError } from '../errors.ts'
import { javaGrace } from '../job-tree/absences.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import { runAction } from './run-action.ts'
import { type DepartureOptions, untilLeft } from './departure.ts'
import type { ActionPlan } from './action-plan.ts'
import { deleteGuarded } from './guarded-deletion.ts'
import { isDisturbance, type OperatorRegistry } from './operator-registry.ts'
import { guardOf, planMark, planServerRemoval } from './removal-plan.ts'
import { effectOn } from './result.ts'
import { planShutdown } from './shutdown-plan.ts'
import type { JobSnapshot } from './snapshot.ts'

/** The default time that a removal waits for the instances to leave, in milliseconds. */
const removalWait = 60_000

/** How many times nodes recreated by a Java process are deleted before an error is thrown. */
const rounds = 5

/** `name`: a unique name for this removal. */
export async function removeJob(
  registry: OperatorRegistry,
  jobName: string,
  name: string,
  options: DepartureOptions,
): Promise<ActionPlan> {
  const { reader } = registry
  const paths = registry.pathsOf(jobName)
  const guard = guardOf({ paths }, name)
  const marked = await runAction(registry, jobName, 'brief', async ({ view }, operator) => {
    const beside = await reader.children(paths.shardStates)
    // The reply to an earlier attempt was lost: the mark exists.
    return beside?.some((one) => guard.endsWith(`/${one}`)) === true
      ? nothingToDo
      : planMark(view, operator, name, beside)
  })
  let sawJava = marked.done.some(({ instance }) => isJavaInstance(instance ?? ''))
  const sendJavaAway = async ({ view }: JobSnapshot): Promise<void> => {
    // Java instances come back for a moment when they reconnect.
    const java = [...view.instances].filter(isJavaInstance)
    if (java.length > 0) sawJava = true
    for (const instance of java) await registry.deleteIfThere(paths.instance(instance))
    if (!(await registry.exists(guard))) throw takenOver(jobName)
  }
  try {
    await untilLeft(registry, jobName, () => true, { wait: removalWait, ...options }, sendJavaAway)
    await clear(registry, jobName, guard, sawJava)
  } catch (error) {
    const isLost = isRegistryError(error, 'REGISTRY_NO_NODE') && error.path === guard
    throw isLost || isElasticJobError(error, 'JOB_NOT_FOUND') ? takenOver(jobName) : error
  }
  const removed = effectOn({ jobName }, message('job-removed', { jobName }))
  return { ...marked, done: [...marked.done, removed] }
}

const nothingToDo: ActionPlan = { operations: [], done: [], unchanged: [], skipped: [] }

/** Deletes Java's tree first: while the job state exists, no native instance creates the tree again. */
async function clear(
  registry: OperatorRegistry,
  jobName: string,
  guard: string,
  sawJava: boolean,
): Promise<void> {
  const { root, shardStates: states, jobState: state, statistics } = registry.pathsOf(jobName)
  for (let manualRun = 1; ; manualRun++) {
    await deleteGuarded(registry, root, guard)
    // A Java process that shuts down may still write nodes.
    if (sawJava) await registry.pause(javaGrace)
    if (!(await registry.exists(root))) break
    if (manualRun >= rounds) throw comesBack(jobName)
  }
  await deleteGuarded(registry, statistics, guard)
  let isUncertain = false
  await registry.persist(message('job-subject', { jobName }), async () => {
    if (!(await registry.exists(guard))) {
      // The final transaction deletes the guard together with the job state. After a lost reply, a missing guard means
      // that it succeeded.
      if (isUncertain) return
      throw takenOver(jobName)
    }
    await deleteGuarded(registry, states, guard, new Set([states, guard]))
    try {
      await registry.commit([guard, states, state].map((path) => part.delete(path)))
    } catch (error) {
      isUncertain = isDisturbance(error)
      throw error
    }
  })
}

export async function removeServer(
  registry: OperatorRegistry,
  jobName: string,
  server: string,
  options: DepartureOptions,
): Promise<ActionPlan> {
  const asked = await runAction(registry, jobName, 'brief', ({ view }, operator) =>
    planShutdown(view, operator, server),
  )
  const isMeant = (instance: string): boolean => serverOf(instance) === server
  await untilLeft(registry, jobName, isMeant, { wait: removalWait, ...options })
  const removed = await runAction(registry, jobName, 'brief', ({ view }, operator) =>
    planServerRemoval(view, operator, server),
  )
  return { ...removed, done: [...asked.done, ...removed.done] }
}

function takenOver(jobName: string): ElasticJobError {
  return new ElasticJobError('JOB_CONFLICT', message('removal-conflict', { jobName }))
}

function comesBack(jobName: string): ElasticJobError {
  return new ElasticJobError('JOB_DEPARTURE_PENDING', message('removal-undone', { jobName }))
}
