/** What an instance would claim, as `execution/claimer.ts` decides it from the same functions. */
import { passedByClaim } from '../../packages/core/src/fire-times/account.ts'
import { noCatchUp } from '../../packages/core/src/fire-times/catch-up.ts'
import {
  type Due,
  type DueContext,
  dueOf,
  type FireTimes,
} from '../../packages/core/src/fire-times/due.ts'
import { FireHistory } from '../../packages/core/src/fire-times/fire-history.ts'
import {
  type ShardPlan,
  obstacleTo,
  type OwnedShard,
  planClaim,
} from '../../packages/core/src/execution/plan.ts'
import { neverRun } from '../../packages/core/src/job-tree/shard-state.ts'
import { isMixed, type JobView } from '../../packages/core/src/job-tree/job-view.ts'
import { isPaused, noJobState, resumedOn } from '../../packages/core/src/job-tree/job-state.ts'
import { offPeriodsOf } from '../../packages/core/src/job-tree/timeline.ts'
import type { Member } from '../../packages/core/src/job-tree/member.ts'
import { averageAllocation } from '../../packages/core/src/sharding/strategies/average-allocation.ts'
import { shardsOf, ownershipOf } from '../../packages/core/src/sharding/ownership.ts'
import { digestOfSchedule, period, readSettings, type Settings, window } from './cluster.ts'
import type { Tree } from './tree.ts'
import { paths, shardStateOf, viewOf } from './view.ts'

export const fires: FireTimes = {
  nextAfter: (time) => (Math.floor(time / period) + 1) * period,
  latestAtOrBefore: (time, notBefore) => {
    const latest = Math.floor(time / period) * period
    return latest > notBefore ? latest : undefined
  },
}

export function settingsOf(view: JobView): Settings {
  if (view.config === undefined) throw new Error('the job has no configuration')
  return readSettings(view.config.text)
}

function dueContext(view: JobView, { ip }: Member, now: number): DueContext {
  const jobState = view.jobState?.value ?? noJobState
  const isNoted = jobState.schedule?.digest === digestOfSchedule(settingsOf(view))
  const scheduled = isNoted ? jobState.schedule?.since : view.config?.mtime
  const since = Math.max(scheduled ?? 0, resumedOn(jobState, ip))
  const oldest = Math.max(now - window, since)
  return {
    now,
    fires,
    latest: fires.latestAtOrBefore(now, oldest),
    oldest,
    misfire: settingsOf(view).misfire,
    catchUp: noCatchUp,
    paused: isPaused(jobState, ip),
    since,
    round: jobState.running,
  }
}

/** A shard as its owner has read it. */
export function ownedOf(read: Tree, shard: number): OwnedShard {
  const shardState = shardStateOf(read, shard)
  return {
    shard: shard,
    ownerVersion: read.get(paths.owner(shard))?.version ?? -1,
    created: read.get(paths.shard(shard))?.ctime ?? 0,
    shardState: shardState?.value,
    stateVersion: shardState?.version ?? -1,
  }
}

export interface PlannedClaim extends ShardPlan {
  readonly due: Due
}

/** Undefined if the shard is not this instance's to claim now, as far as it knows. */
export function claimOf(
  tree: Tree,
  read: Tree,
  me: Member,
  shard: number,
  now: number,
  runId: string,
): PlannedClaim | undefined {
  const view = viewOf(tree)
  const { total, failover } = settingsOf(view)
  const resharding = { total, strategy: averageAllocation.type }
  if (!view.instances.has(me.instance) || !shardsOf(view, me, resharding).has(shard))
    return undefined
  if (read.text(paths.owner(shard)) !== me.instance) return undefined
  const owned = ownedOf(read, shard)
  const before = owned.shardState ?? neverRun
  const { since: ownedSince } = ownershipOf(view, shard, me, resharding, now)
  const since = Math.max(owned.created, ownedSince)
  const context = dueContext(view, me, now)
  const due = dueOf(before, shard, me.instance, since, context)
  if (due === undefined) return undefined
  if (obstacleTo(view, owned, { mixed: isMixed(view), failover }) !== undefined) return undefined
  const history = new FireHistory(
    [{ from: view.jobState?.value.schedule?.since ?? 0, fires, total }],
    offPeriodsOf(view.jobState?.value ?? noJobState),
  )
  const left = [{ after: 0, until: ownedSince }]
  const place = { server: me.ip, ownedSince: 0 }
  const counted = { shard, shardState: before, ...place, created: owned.created, left }
  const gone = passedByClaim(counted, due, { ...context, history })
  const settings = { failover, now, runId, nextFireTime: fires.nextAfter(now), gone }
  return { due, ...planClaim(view, me, owned, due, settings) }
}
