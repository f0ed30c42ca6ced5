const separator = '@-@'

/** What a task id says. */
export interface TaskId {
  readonly jobName: string
  readonly shardingItems: readonly number[]
  /** `READY` in all that is written today, whatever the run came from. */
  readonly executionType: 'READY' | 'FAILOVER'
  /** The instance that runs the task: `{ip}@-@{the rest}`. */
  readonly instanceId: string
  readonly ip: string
}

/** Java's form. Consoles and tracing tables split it again, so no part may hold the separator. */
export function composeTaskId(
  jobName: string,
  shardingItems: readonly number[],
  instanceId: string,
): string {
  return `${jobName}${separator}${shardingItems.join(',')}${separator}READY${separator}${instanceId}`
}

/** Undefined for what is not a task id. */
export function parseTaskId(text: string): TaskId | undefined {
  const parts = text.split(separator)
  const [jobName, shards, executionType, ip, rest] = parts
  // An instance id is itself two parts.
  if (parts.length !== 5 || !jobName || !ip || !rest) return undefined
  if (executionType !== 'READY' && executionType !== 'FAILOVER') return undefined
  if (shards === undefined || !/^(\d+(,\d+)*)?$/.test(shards)) return undefined
  return {
    jobName,
    shardingItems: shards === '' ? [] : shards.split(',').map(Number),
    executionType,
    instanceId: ip + separator + rest,
    ip,
  }
}
