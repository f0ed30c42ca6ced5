import { allocateEvenly } from './average-allocation.ts'
import { javaHash } from './java-hash.ts'
import type { ShardingStrategy } from './strategy.ts'

/** Like AVG_ALLOCATION, but in reverse order for jobs whose name has an even hash. */
export const odevity: ShardingStrategy = Object.freeze({
  type: 'ODEVITY',
  shard: (instances: readonly string[], jobName: string, total: number) =>
    allocateEvenly(javaHash(jobName) % 2 === 0 ? instances.toReversed() : instances, total),
})
