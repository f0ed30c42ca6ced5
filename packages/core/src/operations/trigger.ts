import type { ManualRun } from '../job-tree/job-state.ts'
import { runAction, resultOf } from './run-action.ts'
import { emptyPlan } from './action-plan.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import type { OperationResult } from './result.ts'
import type { JobSnapshot } from './snapshot.ts'
import { storedIn } from './stored.ts'
import { planTrigger, type TriggerPlan, type TriggerRequest } from './trigger-plan.ts'

/** The result of a trigger. */
export interface TriggerResult extends OperationResult {
  /** Undefined if only Java instances were triggered: Java has no manual runs. */
  readonly manualRun: ManualRun | undefined
}

export async function trigger(
  registry: OperatorRegistry,
  jobName: string,
  request: TriggerRequest,
): Promise<TriggerResult> {
  let asked: ManualRun | undefined
  const actionPlan = await runAction(registry, jobName, 'full', async (snapshot, operator) => {
    // An earlier attempt may have succeeded and lost only its reply.
    const known = asked && manualRunsOf(snapshot).find((one) => isSame(one, asked as ManualRun))
    if (known !== undefined) return { ...emptyPlan(), manualRun: known } satisfies TriggerPlan
    const { configuration, failover } = storedIn(snapshot)
    const total = configuration?.shardingTotalCount ?? 0
    const now = await registry.nowFor(snapshot.view)
    const planned = planTrigger(snapshot, operator, request, { total, failover, now })
    asked = planned.manualRun
    return planned
  })
  return { ...resultOf('trigger', [actionPlan]), manualRun: actionPlan.manualRun }
}

function manualRunsOf({ view }: JobSnapshot): ManualRun[] {
  const { running, pending, previous } = view.jobState?.value ?? {}
  return [running, pending, previous].filter((manualRun) => manualRun !== undefined)
}

function isSame(one: ManualRun, other: ManualRun): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
