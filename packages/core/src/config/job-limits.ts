import { message, type Message } from '../message.ts'

/**
 * The most shards that a job may have. Every instance keeps the assignment and its marks in memory, the leader
 * rewrites them in transactions of at most 512 kB, and a manual run names its shards in one node: at 10,000
 * shards each of these is still a few requests. What is split further belongs into several jobs.
 */
export const mostShards = 10_000

/** What is wrong with a stored number of shards; it is checked before anything is made for each of them. */
export function problemOfShardCount(count: number | undefined): Message | undefined {
  if (count === undefined || !(count > 0)) return message('shard-count-missing')
  if (count <= mostShards) return undefined
  return message('shard-count-excess', { count, most: mostShards })
}
