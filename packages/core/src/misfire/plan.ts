/** Finds fire times that were due and did not run, and the reason for each. */
import type { ShardState } from '../job-tree/shard-state.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { availableInstances, isDead, isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobState, resumedOn } from '../job-tree/job-state.ts'
import { ownerOf } from '../sharding/needs.ts'
import { earliestClaimFor } from '../timing/timing.ts'

/**
 * Shards that show no sign of a run at a fire time; their shard states decide. `marked`: when each shard was last
 * claimed.
 */
export function silentShards(
  view: JobView,
  total: number,
  fireTime: number,
  marked: ReadonlyMap<number, number>,
): number[] {
  const silent: number[] = []
  for (let shardingItem = 0; shardingItem < total; shardingItem++) {
    const nodes = view.shards.get(shardingItem)
    if (nodes?.disabled === true || nodes?.running === true) continue
    const owner = ownerOf(view, shardingItem) ?? ''
    // Java stores no shard state. A missed fire of a Java instance is provable only if the instance was away at the
    // fire time.
    if (isJavaInstance(owner)) {
      if (wasAway(view, owner, fireTime)) silent.push(shardingItem)
      continue
    }
    // A shard on a paused server is not meant to run, and neither is one that was paused at the fire time.
    const jobState = view.jobState?.value ?? noJobState
    const ip = serverOf(owner)
    if (isPaused(jobState, ip) || resumedOn(jobState, ip) >= fireTime) continue
    if ((marked.get(shardingItem) ?? 0) < earliestClaimFor(fireTime)) silent.push(shardingItem)
  }
  return silent
}

/** Shards that were running at a fire time without a claim for it: a misfire run is due when they end. */
export function overrunShards(
  view: JobView,
  total: number,
  fireTime: number,
  marked: ReadonlyMap<number, number>,
): number[] {
  const overrun: number[] = []
  for (let shard = 0; shard < total; shard++) {
    const isSeen = (marked.get(shard) ?? 0) >= earliestClaimFor(fireTime)
    if (view.shards.get(shard)?.running === true && !isSeen) overrun.push(shard)
  }
  return overrun
}

function wasAway(view: JobView, owner: string, time: number): boolean {
  const gap = view.gaps.get(owner)
  return gap !== undefined && gap.since < time && time <= gap.until
}

/** Whether a shard state does not account for a past fire time. */
export function isMissed(shardState: ShardState | undefined, fireTime: number): boolean {
  if (shardState === undefined) return true
  if (shardState.fireTime >= fireTime || (shardState.since ?? 0) >= fireTime) return false
  // The shard was running at the fire time: that is a misfire, which has its own rules.
  const ranThen =
    shardState.begin <= fireTime && (shardState.end === 0 || shardState.end >= fireTime)
  return !ranThen
}

/** Why a shard did not run, as far as the view shows. */
export function reasonFor(view: JobView, shardingItem: number, fireTime: number): string {
  const owner = ownerOf(view, shardingItem)
  if (view.instances.size === 0) return 'no instance takes part in the job'
  if (availableInstances(view).length === 0) return 'all servers are disabled'
  if (view.failoverShards.has(shardingItem)) return 'its crashed run waits to be taken over'
  if (owner === undefined || view.shards.get(shardingItem)?.hasOwner !== true)
    return 'it has no owner yet'
  if (isDead(view, owner)) return `its owner ${owner} is gone`
  if (!view.instances.has(owner)) return `its owner ${owner} is leaving`
  if (!isServerEnabled(view, serverOf(owner))) return `its owner ${owner} is disabled`
  if (wasAway(view, owner, fireTime)) return `its owner ${owner} was away then`
  if (view.necessary !== undefined) return 'a resharding is in progress'
  return `its owner ${owner} has not claimed it`
}
