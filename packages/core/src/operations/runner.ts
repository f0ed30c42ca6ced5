import type { BrokenNode } from '../job-tree/broken-node.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { ownerOf } from '../sharding/needs.ts'

/** A job's view, shard states and broken nodes. */
export interface RunsOfJob {
  readonly view: JobView
  readonly shardStates: ReadonlyMap<number, Versioned<ShardState>>
  readonly broken: readonly BrokenNode[]
}

/**
 * The instance that runs a shard now; undefined if none does. The shard state covers runs of native instances, the
 * running mark covers runs of Java instances. A mark of a dead instance does not count.
 */
export function runnerOf({ view, shardStates }: RunsOfJob, shard: number): string | undefined {
  const shardState = shardStates.get(shard)?.value
  if (shardState?.state === 'running' && !isDead(view, shardState.instance))
    return shardState.instance
  const nodes = view.shards.get(shard)
  if (nodes?.running !== true) return undefined
  // Without Java instances, the mark belongs to the run in the shard state.
  if (!view.readsOwners && shardState?.state === 'running') return undefined
  // Marks of Java up to 3.0.1 and of 2.x do not name the instance: they belong to the owner.
  const runner = nodes.runner || ownerOf(view, shard)
  return runner === undefined || isDead(view, runner) ? undefined : runner
}
