import type { Round } from '../job-tree/job-word.ts'
import { conduct, resultOf } from './conduct.ts'
import { emptyDraft } from './draft.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import type { OperationResult } from './result.ts'
import type { JobSnapshot } from './snapshot.ts'
import { storedIn } from './stored.ts'
import { planTrigger, type TriggerDraft, type TriggerRequest } from './trigger-plan.ts'

export interface TriggerResult extends OperationResult {
  /** Undefined if Java instances alone were asked: they know no rounds. */
  readonly round: Round | undefined
}

export async function trigger(
  registry: OperatorRegistry,
  jobName: string,
  request: TriggerRequest,
): Promise<TriggerResult> {
  let asked: Round | undefined
  const draft = await conduct(registry, jobName, 'full', async (snapshot, operator) => {
    // The answer to an earlier attempt may be lost, and not what it asked for.
    const known = asked && roundsOf(snapshot).find((one) => isSame(one, asked as Round))
    if (known !== undefined) return { ...emptyDraft(), round: known } satisfies TriggerDraft
    const { configuration, failover } = storedIn(snapshot)
    const total = configuration?.shardingTotalCount ?? 0
    const now = await registry.nowFor(snapshot.view)
    const planned = planTrigger(snapshot, operator, request, { total, failover, now })
    asked = planned.round
    return planned
  })
  return { ...resultOf('trigger', [draft]), round: draft.round }
}

function roundsOf({ view }: JobSnapshot): Round[] {
  const { running, pending, previous } = view.word?.value ?? {}
  return [running, pending, previous].filter((round) => round !== undefined)
}

function isSame(one: Round, other: Round): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
