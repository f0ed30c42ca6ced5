import { allocateEvenly } from './average-allocation.ts'
import { javaHash, javaOffset, rotated } from './java-hash.ts'
import type { ShardingStrategy } from './strategy.ts'

/** Like AVG_ALLOCATION, starting at an instance that depends on the job's name. */
export const roundRobin: ShardingStrategy = Object.freeze({
  type: 'ROUND_ROBIN',
  shard: (instances: readonly string[], jobName: string, total: number) => {
    const offset = javaOffset(javaHash(jobName), instances.length)
    return allocateEvenly(rotated(instances, offset), total)
  },
})
