import type { ShardingContext } from './context.ts'

/**
 * The context as Java hands it to scripts and HTTP servers: these fields in this order, the parameter of the shard left
 * out where there is none.
 */
export function shardingContextJson(context: ShardingContext): string {
  const { jobName, taskId, shardingTotalCount, jobParameter, shardingItem, shardingParameter } =
    context
  return JSON.stringify({
    jobName,
    taskId,
    shardingTotalCount,
    jobParameter,
    shardingItem,
    shardingParameter,
  })
}

/**
 * The same in printable ASCII alone, for a header. Java writes other characters as they are and
 * servers read them as Latin-1, that is, wrongly; every JSON parser reads escapes rightly.
 */
export function shardingContextHeader(context: ShardingContext): string {
  return shardingContextJson(context).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
