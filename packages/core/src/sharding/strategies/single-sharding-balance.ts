import { allocateEvenly } from './average-allocation.ts'
import { javaHash, javaOffset, rotated } from './java-hash.ts'
import type { ShardingStrategy } from './strategy.ts'

/** Like AVG_ALLOCATION, starting at an instance that depends on the job's name and the time. */
export const singleShardingBalance: ShardingStrategy = Object.freeze({
  type: 'SINGLE_SHARDING_BALANCE',
  shard: (
    instances: readonly string[],
    jobName: string,
    total: number,
    _previous: ReadonlyMap<number, string>,
    now: number,
  ) => {
    // Java keeps the lower 32 bits of the time, and of the sum.
    const offset = javaOffset((javaHash(jobName) + (now | 0)) | 0, instances.length)
    return allocateEvenly(rotated(instances, offset), total)
  },
})
