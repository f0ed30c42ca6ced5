/** Asks instances to leave: native instances through the job state, Java instances as Java's own tools do. */
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { noJobState } from '../job-tree/job-state.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import {
  changeJobState,
  type ActionPlan,
  emptyPlan,
  type Operator,
  requireNotRemoving,
} from './action-plan.ts'
import { type Effect, effectOn } from './result.ts'

/**
 * The job state remembers the instances that left until their server takes part again. That distinguishes a shutdown by
 * an operator from a crash.
 */
export function planShutdown(view: JobView, operator: Operator, server?: string): ActionPlan {
  requireNotRemoving(view)
  const { jobName } = view
  const actionPlan = emptyPlan()
  const asked = new Set(view.jobState?.value.shutdown)
  const meant = [...view.instances]
    .filter((instance) => server === undefined || serverOf(instance) === server)
    .toSorted()
  for (const instance of meant) {
    const effect = effectOn(
      { jobName, server: serverOf(instance), instance },
      message('instance-leaving', { instance, jobName }),
    )
    if (isJavaInstance(instance))
      actionPlan.operations.push(part.delete(operator.paths.instance(instance)))
    else if (asked.has(instance)) {
      actionPlan.unchanged.push(effect)
      continue
    }
    actionPlan.done.push(effect)
  }
  if (meant.length === 0) actionPlan.unchanged.push(nobodyThere(view, server))
  const named = actionPlan.done.map(({ instance }) => instance as string)
  const isKept = named.some((instance) => !isJavaInstance(instance)) || view.jobState !== undefined
  if (named.length > 0 && isKept) {
    const shutdown = [...stillOf(view, server), ...named]
    actionPlan.operations.push(
      ...changeJobState(view, operator, { shutdown: [...new Set(shutdown)] }),
    )
  }
  return actionPlan
}

/**
 * The instances asked earlier, without those whose server takes part again: Java instances do not remove their entries.
 */
function stillOf(view: JobView, server: string | undefined): string[] {
  const { shutdown = [] } = view.jobState?.value ?? noJobState
  const present = new Set(
    [...view.instances].filter((instance) => !shutdown.includes(instance)).map(serverOf),
  )
  return shutdown.filter((instance) => {
    const ip = serverOf(instance)
    return view.instances.has(instance) || ip === server || !present.has(ip)
  })
}

function nobodyThere({ jobName }: JobView, server: string | undefined): Effect {
  return server === undefined
    ? effectOn({ jobName }, message('job-without-instance', { jobName }))
    : effectOn({ jobName, server }, message('job-without-instance-on-server', { jobName, server }))
}
