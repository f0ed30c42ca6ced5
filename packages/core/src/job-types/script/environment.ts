import type { ShardingContext } from '../context.ts'

/** The environment of this process, extended by the properties of the run. */
export function scriptEnvironment(
  inherited: Readonly<NodeJS.ProcessEnv>,
  context: ShardingContext,
): NodeJS.ProcessEnv {
  return {
    ...inherited,
    ELASTICJOB_JOB_NAME: context.jobName,
    ELASTICJOB_TASK_ID: context.taskId,
    ELASTICJOB_RUN_ID: context.runId,
    ELASTICJOB_SHARDING_ITEM: String(context.shardingItem),
    ELASTICJOB_SHARDING_TOTAL_COUNT: String(context.shardingTotalCount),
    ELASTICJOB_JOB_PARAMETER: context.jobParameter,
    ELASTICJOB_MONITOR_EXECUTION: String(context.monitorExecution),
    ELASTICJOB_FIRE_TIME: context.fireTime.toISOString(),
    ELASTICJOB_ATTEMPT: String(context.attempt),
    // Undefined removes the value that this process inherited if a script of another job started it.
    ELASTICJOB_SHARDING_PARAMETER: context.shardingParameter,
    ELASTICJOB_OFFSET: context.offset,
    ELASTICJOB_FENCING_TOKEN: context.fencingToken?.toString(),
  }
}
