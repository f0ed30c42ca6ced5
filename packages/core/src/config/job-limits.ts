import { message, type Message } from '../message.ts'

/**
 * The maximum number of shards of a job. Every instance keeps the assignment and its marks in memory, the leader
 * rewrites them in transactions of at most 512 kB, and a manual run lists its shards in one node. At 10,000 shards each
 * of these is still a few requests. Split larger work into several jobs.
 */
export const mostShards = 10_000

/** The problem of a stored shard count. Checked before anything is allocated per shard. */
export function problemOfShardCount(count: number | undefined): Message | undefined {
  if (count === undefined || !(count > 0)) return message('shard-count-missing')
  if (count <= mostShards) return undefined
  return message('shard-count-excess', { count, most: mostShards })
}
