/** What keeps a shard that is due from being run. */
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, type ShardNodes, type JobView } from '../job-tree/job-view.ts'
import type { OwnedShard } from './plan.ts'

/** Why a shard that is due cannot be claimed now; each of these ends with an event. */
export type Obstacle = 'disabled' | 'running' | 'waiting for failover' | 'taken over' | 'flagged'

/** What is in the way, as the replica shows it. */
export function obstacleTo(
  view: JobView,
  { shard, shardState }: OwnedShard,
  { mixed, failover }: { readonly mixed: boolean; readonly failover: boolean },
): Obstacle | undefined {
  const nodes = view.shards.get(shard)
  if (nodes?.disabled === true) return 'disabled'
  if (view.failoverShards.has(shard)) return 'waiting for failover'
  // A crashed run that nobody has turned over yet: a new claim would make it be forgotten.
  if (failover && shardState?.state === 'running' && isDead(view, shardState.instance)) {
    return 'waiting for failover'
  }
  if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) return 'taken over'
  if (isRunning(view, nodes, shardState, mixed)) return 'running'
  // Java's leader waits for a moment in which nothing runs: it must come.
  if (mixed && (view.necessary !== undefined || view.processing)) return 'flagged'
  return undefined
}

/** The state speaks for runs of ours; a mark that it does not speak of is a run of somebody else. */
function isRunning(
  view: JobView,
  nodes: ShardNodes | undefined,
  shardState: ShardState | undefined,
  mixed: boolean,
): boolean {
  if (shardState?.state === 'running' && !isDead(view, shardState.instance)) return true
  if (nodes?.running !== true) return false
  // Java's runs have no state: of them the mark says whose it is. A mark that nobody takes away would silence the shard
  // for ever.
  if (mixed) return nodes.runner === undefined || !isDead(view, nodes.runner)
  return shardState?.state !== 'running'
}
