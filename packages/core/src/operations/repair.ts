/** Repairs unreadable nodes: of one job, or of all jobs of the namespace. */
import { readEach } from './catalog.ts'
import { runAction, failureOf, resultOf } from './run-action.ts'
import type { ActionPlan } from './action-plan.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { isConfigurationUnreadable, planRepair, type RepairContext } from './repair-plan.ts'
import type { Omission, OperationResult } from './result.ts'
import type { JobSnapshot } from './snapshot.ts'

/** The options of a repair. */
export interface RepairOptions {
  /**
   * Whether to report the changes without making them.
   * @default false
   */
  readonly dryRun?: boolean
}

export async function repair(
  registry: OperatorRegistry,
  jobName: string | undefined,
  { dryRun = false }: RepairOptions,
): Promise<OperationResult> {
  if (jobName !== undefined) return resultOf('repair', [await repairJob(registry, jobName, dryRun)])
  const actionPlans: ActionPlan[] = []
  const failed: Omission[] = []
  for (const name of await brokenJobs(registry)) {
    try {
      actionPlans.push(await repairJob(registry, name, dryRun))
    } catch (error) {
      failed.push(failureOf({ jobName: name }, error))
    }
  }
  return resultOf('repair', actionPlans, failed)
}

async function brokenJobs(registry: OperatorRegistry): Promise<string[]> {
  return readEach(registry, 'full', (snapshot) =>
    snapshot.broken.length > 0 || isConfigurationUnreadable(snapshot)
      ? snapshot.view.jobName
      : undefined,
  )
}

async function repairJob(
  registry: OperatorRegistry,
  jobName: string,
  dryRun: boolean,
): Promise<ActionPlan> {
  return runAction(
    registry,
    jobName,
    'full',
    async (snapshot, operator) => {
      const actionPlan = planRepair(snapshot, operator, await contextOf(registry, snapshot))
      return dryRun ? { ...actionPlan, operations: [] } : actionPlan
    },
    'repairs',
  )
}

async function contextOf(
  registry: OperatorRegistry,
  snapshot: JobSnapshot,
): Promise<RepairContext> {
  const { broken, paths, view } = snapshot
  const markedBy = new Map<number, string>()
  for (const { shard } of broken) {
    if (shard === undefined || view.shards.get(shard)?.running !== true) continue
    const mark = await registry.reader.get(paths.mark(shard, 'running'))
    if (mark !== undefined) markedBy.set(shard, mark.text)
  }
  return { now: broken.length === 0 ? registry.estimate() : await registry.now(), markedBy }
}
