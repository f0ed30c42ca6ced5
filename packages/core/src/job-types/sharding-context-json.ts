import type { ShardingContext } from './context.ts'

/**
 * The context as Java passes it to scripts and HTTP servers: these fields in this order, without `shardingParameter` if
 * the shard has none.
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
 * The same in printable ASCII, for a header. Java writes other characters unescaped, and servers read them incorrectly,
 * as Latin-1; every JSON parser reads escapes correctly.
 */
export function shardingContextHeader(context: ShardingContext): string {
  return shardingContextJson(context).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
