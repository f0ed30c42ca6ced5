import type { ShardingStrategy } from './strategy.ts'

/**
 * For many jobs with few shards each. Every job derives its own order of the instances from its name, and assigns its
 * shards in that order. So the first shards of all jobs spread over the fleet, and an instance that joins or leaves
 * moves only the jobs that it gains or loses.
 */
export const spread: ShardingStrategy = Object.freeze({
  type: 'SPREAD',
  shard: (instances: readonly string[], jobName: string, total: number) => {
    const drawn = instances
      .map((instance) => ({ instance, lot: lotOf(jobName, instance) }))
      .toSorted((one, other) => other.lot - one.lot)
    return new Map(
      drawn.map(({ instance }, rank) => [instance, everyNth(rank, instances.length, total)]),
    )
  },
})

function everyNth(first: number, step: number, total: number): number[] {
  const count = Math.max(0, Math.ceil((total - first) / step))
  return Array.from({ length: count }, (_, i) => first + i * step)
}

/** FNV-1a with mixed bits: names that differ only in their last letter must not give similar values. */
function lotOf(jobName: string, instance: string): number {
  let hash = 0x811c9dc5
  for (const text of [jobName, '\0', instance]) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
