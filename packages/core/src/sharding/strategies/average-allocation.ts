import type { ShardingStrategy } from './strategy.ts'

/** Blocks of equal size in the order of the instances; the remainder goes to the first ones. */
export const averageAllocation: ShardingStrategy = Object.freeze({
  type: 'AVG_ALLOCATION',
  shard: (instances: readonly string[], _jobName: string, total: number) =>
    allocateEvenly(instances, total),
})

/** 10 shards over 3 instances: [0, 1, 2, 9], [3, 4, 5], [6, 7, 8]. */
export function allocateEvenly(instances: readonly string[], total: number): Map<string, number[]> {
  const block = Math.floor(total / instances.length)
  const evenly = block * instances.length
  return new Map(
    instances.map((instance, index) => {
      const shards = Array.from({ length: block }, (_, i) => index * block + i)
      return [instance, evenly + index < total ? [...shards, evenly + index] : shards]
    }),
  )
}
