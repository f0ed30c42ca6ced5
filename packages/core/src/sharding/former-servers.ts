/**
 * The pause of a server applies to the fire times at which a shard was on that server. While the job state has such a
 * pause, a resharding records in the shard state which server each shard leaves. The leader cannot write the state of a
 * running shard, so a takeover records the server of the owner, whose shard moves during the run.
 */
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import { isDead, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import {
  encodeShardState,
  type FormerServer,
  mostFormerServers,
  neverRun,
  type ShardState,
} from '../job-tree/shard-state.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { ownerOf } from './needs.ts'
import type { KnownState } from './stamp.ts'

/** The shards whose server changes with an assignment, if the pause of a server may apply to their fire times. */
export function leavingServers(view: JobView, owners: readonly string[]): number[] {
  if (!hasServerPause(view)) return []
  return [...owners.entries()]
    .filter(([shard, to]) => {
      const from = ownerOf(view, shard)
      if (from === undefined || isJavaInstance(from) || isJavaInstance(to)) return false
      return serverOf(from) !== serverOf(to)
    })
    .map(([shard]) => shard)
}

function hasServerPause({ jobState }: JobView): boolean {
  const { off = [], pausedServers = [] }: JobState = jobState?.value ?? noJobState
  return pausedServers.length > 0 || off.some(({ server }) => server !== undefined)
}

/** Returns no parts for a shard that runs, or whose state cannot be read. */
export function planFormerServer(
  view: JobView,
  me: Member,
  shard: number,
  known: KnownState,
  now: number,
): TransactionPart[] {
  if (known === 'unreadable') return []
  const before = known?.value ?? neverRun
  if (before.state === 'running' && !isDead(view, before.instance)) return []
  const path = me.paths.shardState(shard)
  const formerServers = formerServersOf(view, shard, before, now)
  const data = encodeShardState({ ...before, formerServers })
  return known === undefined ? [part.create(path, data)] : [part.set(path, data, known.version)]
}

/** The servers that a shard was on up to now, that of its owner included; unchanged while no server is paused. */
export function formerServersOf(
  view: JobView,
  shard: number,
  { formerServers = [] }: ShardState,
  now: number,
): readonly FormerServer[] | undefined {
  const owner = ownerOf(view, shard)
  if (!hasServerPause(view) || owner === undefined)
    return formerServers.length > 0 ? formerServers : undefined
  return [...formerServers, { server: serverOf(owner), until: now }].slice(-mostFormerServers)
}
