import type { SeenRun } from '../simulated-cluster.ts'

/** How often each shard ran at each fire time: `{shard}@{seconds since 1970}`, with the count. */
export function runsByShard(runs: readonly SeenRun[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { shardingItem, fireTime } of runs) {
    const key = `${shardingItem}@${fireTime / 1000}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Every shard at every fire time after `from` until `to`, once. */
export function everyShardOnce(
  total: number,
  period: number,
  from: number,
  to: number,
): Map<string, number> {
  const expected = new Map<string, number>()
  for (let time = Math.floor(from / period) * period + period; time <= to; time += period) {
    for (let shard = 0; shard < total; shard++) expected.set(`${shard}@${time / 1000}`, 1)
  }
  return expected
}

/** The shards that ran, in their order. */
export function shardsIn(runs: readonly SeenRun[]): number[] {
  return runs.map(({ shardingItem }) => shardingItem).toSorted((a, b) => a - b)
}
