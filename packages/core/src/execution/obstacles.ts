/** Reasons why a due shard cannot run. */
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, type ShardNodes, type JobView } from '../job-tree/job-view.ts'
import type { OwnedShard } from './plan.ts'

/** Why a due shard cannot be claimed now. An event announces the end of each obstacle. */
export type Obstacle = 'disabled' | 'running' | 'waiting for failover' | 'taken over' | 'flagged'

/** The obstacle that the replica shows; undefined if the shard can be claimed. */
export function obstacleTo(
  view: JobView,
  { shard, shardState }: OwnedShard,
  { mixed, failover }: { readonly mixed: boolean; readonly failover: boolean },
): Obstacle | undefined {
  const nodes = view.shards.get(shard)
  if (nodes?.disabled === true) return 'disabled'
  if (view.failoverShards.has(shard)) return 'waiting for failover'
  // No instance has marked the crashed run for failover yet. A new claim would overwrite its state and lose the run.
  if (failover && shardState?.state === 'running' && isDead(view, shardState.instance)) {
    return 'waiting for failover'
  }
  if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) return 'taken over'
  if (isRunning(view, nodes, shardState, mixed)) return 'running'
  // A Java leader reshards only when no shard runs. New claims would delay it forever.
  if (mixed && (view.necessary !== undefined || view.processing)) return 'flagged'
  return undefined
}

/** The shard state records native runs. A running mark without such a state belongs to a run of another instance. */
function isRunning(
  view: JobView,
  nodes: ShardNodes | undefined,
  shardState: ShardState | undefined,
  mixed: boolean,
): boolean {
  if (shardState?.state === 'running' && !isDead(view, shardState.instance)) return true
  if (nodes?.running !== true) return false
  // Java's runs have no shard state; the mark names their instance. The mark of a dead instance does not count, because
  // it would block the shard forever if no instance deletes it.
  if (mixed) return nodes.runner === undefined || !isDead(view, nodes.runner)
  return shardState?.state !== 'running'
}
