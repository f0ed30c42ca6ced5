/**
 * The leader's repairs of leftovers: marks without a run, flags without effect, triggers for dead instances, states of
 * shards beyond the shard count.
 */
import { leaderChecks } from '../election/plan.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { encodeShardState, type ShardState, neverRun } from '../job-tree/shard-state.ts'
import { isDead, isMixed, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { encodeJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** One leftover, and the transaction that repairs it. */
export interface Repair {
  readonly what: string
  readonly operations: readonly TransactionPart[]
}

/** Shards with a mark that may be a leftover; their shard states decide. */
export function suspiciousShards(view: JobView): number[] {
  return [...view.shards]
    .filter(([, { running, failover, failovering }]) => {
      return running || failover !== undefined || failovering !== undefined
    })
    .map(([shardingItem]) => shardingItem)
}

export interface RepairSettings {
  readonly total: number
  readonly failover: boolean
}

/**
 * Plans repairs; call it only while no Java instance is present, because a Java instance clears its own marks.
 * `shardStates`: the states of the suspicious shards, undefined for a shard without one.
 */
export function planRepairs(
  view: JobView,
  me: Member,
  { total, failover }: RepairSettings,
  shardStates: ReadonlyMap<number, Versioned<ShardState> | undefined>,
): Repair[] {
  const { paths } = me
  const checks = leaderChecks(view, me)
  const repairs: Repair[] = []
  const repair = (what: string, operations: readonly TransactionPart[]): void => {
    repairs.push({ what, operations: [...checks, ...operations] })
  }
  for (const [shardingItem, shardState] of shardStates) {
    const marks = leftMarks(view, shardingItem, shardState?.value ?? neverRun, failover)
    if (marks.length === 0) continue
    repair(`marks of shard ${shardingItem} without a run: ${marks.join(', ')}`, [
      keepState(me, shardingItem, shardState),
      ...marks.map((mark) => part.delete(paths.mark(shardingItem, mark))),
    ])
  }
  for (const shardingItem of view.failoverShards) {
    if (shardingItem < total) continue
    repair(`a crashed run of shard ${shardingItem}, which does not exist any more`, [
      part.delete(paths.failoverShard(shardingItem)),
    ])
  }
  for (const instance of view.triggers.keys()) {
    if (isJavaInstance(instance) || view.instances.has(instance)) continue
    repair(`a trigger for ${instance}, which is gone`, [part.delete(paths.trigger(instance))])
  }
  if (view.processing) {
    repair('the flag of a resharding that nobody is doing', [part.delete(paths.processing)])
  }
  return repairs
}

/**
 * Writes the state back unchanged: a concurrent claim then conflicts, instead of losing the mark that it has just
 * created.
 */
function keepState(
  { paths }: Member,
  shardingItem: number,
  shardState: Versioned<ShardState> | undefined,
): TransactionPart {
  const path = paths.shardState(shardingItem)
  if (shardState === undefined) return part.create(path, encodeShardState(neverRun))
  return part.set(path, encodeShardState(shardState.value), shardState.version)
}

/** The marks of a shard whose state describes no run that an instance still has to end. */
function leftMarks(
  view: JobView,
  shardingItem: number,
  shardState: ShardState,
  failover: boolean,
): ('running' | 'failover' | 'failovering')[] {
  const nodes = view.shards.get(shardingItem)
  if (nodes === undefined) return []
  // A run that goes on keeps its marks, and failover handles a crashed one.
  if (shardState.state === 'running' && (failover || !isDead(view, shardState.instance))) return []
  const left: ('running' | 'failover' | 'failovering')[] = []
  if (nodes.running) left.push('running')
  for (const mark of ['failover', 'failovering'] as const) {
    if (nodes[mark] !== undefined && (isDead(view, nodes[mark]) || !nodes.running)) left.push(mark)
  }
  return left
}

/** How many states one transaction deletes: well below the limit of a transaction. */
const statesPerRepair = 500

/**
 * Whether the job state allows deleting the states of shards beyond the shard count. While the timeline has a span with
 * such a shard, only the shard state records which fire times of that span are accounted for. While there is a manual
 * run, only the shard state records whether the shard took part. Java does not know the job state, so in mixed mode
 * nothing is deleted.
 */
export function allowsStateDeletion(view: JobView, total: number): boolean {
  const state = view.jobState?.value
  if (state?.timeline === undefined || state.removing === true || isMixed(view)) return false
  if (state.running !== undefined || state.pending !== undefined) return false
  return state.timeline.every((span) => span.total <= total)
}

/**
 * Deletes states of shards beyond the shard count; undefined if there are none to delete. A recreated state starts at
 * version 0 again, so the transaction also sets the job state: every plan on a deleted state checks the version of the
 * job state, or the epoch, which moves before the shard has an owner again.
 */
export function planStateDeletion(
  view: JobView,
  me: Member,
  total: number,
  states: ReadonlyMap<number, Versioned<ShardState>>,
): Repair | undefined {
  const { jobState } = view
  if (jobState === undefined || !allowsStateDeletion(view, total)) return undefined
  const deleted = [...states]
    .filter(([shard, { value }]) => shard >= total && isLeftOver(view, shard, value))
    .slice(0, statesPerRepair)
  if (deleted.length === 0) return undefined
  const shards = deleted.map(([shard]) => shard)
  return {
    what: `states of shards beyond the shard count: ${shards.join(', ')}`,
    operations: [
      ...leaderChecks(view, me),
      part.set(me.paths.jobState, encodeJobState(jobState.value), jobState.version),
      ...deleted.map(([shard, { version }]) => part.delete(me.paths.shardState(shard), version)),
    ],
  }
}

/** Whether no run of the shard goes on or waits for failover, and all its fire times are reported. */
function isLeftOver(view: JobView, shard: number, { state, report }: ShardState): boolean {
  if (state === 'running' || report !== undefined) return false
  return !view.shards.has(shard) && !view.failoverShards.has(shard)
}
