import type { BrokenNode } from '../job-tree/broken-node.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { ownerOf } from '../sharding/needs.ts'

/** What is known of a job and of its runs. */
export interface RunsOfJob {
  readonly view: JobView
  readonly shardStates: ReadonlyMap<number, Versioned<ShardState>>
  readonly broken: readonly BrokenNode[]
}

/**
 * The instance that runs a shard now; undefined if nobody does. The state speaks for runs of ours, the mark for those
 * of Java. A mark of somebody who is gone is no run.
 */
export function runnerOf({ view, shardStates }: RunsOfJob, shard: number): string | undefined {
  const shardState = shardStates.get(shard)?.value
  if (shardState?.state === 'running' && !isDead(view, shardState.instance))
    return shardState.instance
  const nodes = view.shards.get(shard)
  if (nodes?.running !== true) return undefined
  // Where nobody of Java's is about, the mark is that of the run that the state speaks of.
  if (!view.readsOwners && shardState?.state === 'running') return undefined
  // Those of Java up to 3.0.1 and of 2.x name nobody: then it is the owner's.
  const runner = nodes.runner || ownerOf(view, shard)
  return runner === undefined || isDead(view, runner) ? undefined : runner
}
