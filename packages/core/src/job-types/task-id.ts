const separator = '@-@'

/** The task id in Java's form. Consoles and tracing tables split it again, so no part may contain the separator. */
export function composeTaskId(
  jobName: string,
  shardingItems: readonly number[],
  instanceId: string,
): string {
  return `${jobName}${separator}${shardingItems.join(',')}${separator}READY${separator}${instanceId}`
}
