/** The structural plans of an instance: what it would commit on a view of the tree and the shard states it has read. */
import { leads, planElection, planCandidacy } from '../../packages/core/src/election/plan.ts'
import { planStopsOver } from '../../packages/core/src/trigger/stop-plan.ts'
import {
  isCrashed,
  isDismissible,
  isRunByAnother,
  isTakeable,
  takeoverShards,
  planClearing,
  planCrash,
  planDismissal,
  suspects,
} from '../../packages/core/src/failover/plan.ts'
import { serverOf } from '../../packages/core/src/job-tree/instance-id.ts'
import type { ShardState } from '../../packages/core/src/job-tree/shard-state.ts'
import { isMixed, type JobView, type Versioned } from '../../packages/core/src/job-tree/job-view.ts'
import { noJobState } from '../../packages/core/src/job-tree/job-state.ts'
import type { Member } from '../../packages/core/src/job-tree/member.ts'
import {
  planRepairs,
  planStateDeletion,
  suspiciousShards,
} from '../../packages/core/src/reconcile/plan.ts'
import { emptyServersOf, planCleaning } from '../../packages/core/src/reconcile/servers-plan.ts'
import { planStructureRepair } from '../../packages/core/src/reconcile/structure-plan.ts'
import { part, type TransactionPart } from '../../packages/core/src/registry/transaction.ts'
import { planSchedule } from '../../packages/core/src/servers/plan.ts'
import { planResharding } from '../../packages/core/src/sharding/plan.ts'
import { averageAllocation } from '../../packages/core/src/sharding/strategies/average-allocation.ts'
import {
  isComplete,
  shardsOfManualRun,
  planAdvance,
  planConversion,
} from '../../packages/core/src/trigger/plan.ts'
import { digestOfSchedule, maximumAttempts } from './cluster.ts'
import { fires, settingsOf } from './due-shards.ts'
import type { Tree } from './tree.ts'
import { paths, shardStateOf, viewOf } from './view.ts'

/** Long ago: delays by rank only make races rarer, and every order has to be safe. */
const longAgo = -1e9
/** A server without an instance is deleted after a day: here the day is always over. */
const day = 24 * 60 * 60_000

export interface Seen {
  readonly view: Tree
  readonly read: Tree
  readonly me: Member
  readonly now: number
}

export interface Planned {
  readonly what: string
  readonly operations: readonly TransactionPart[]
}

export interface Concern {
  readonly name: string
  /** A transaction planned on a stale view that succeeds has to have the effect of a fresh plan. */
  readonly isExact: boolean
  /** Only the leader may do it, on the assignment that it has seen. */
  readonly isLeaders?: boolean
  readonly plan: (seen: Seen) => readonly Planned[]
}

const nothing: readonly Planned[] = []

function elect({ view: tree, me, now }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!view.instances.has(me.instance)) return nothing
  const decision = planElection(view, me, now, longAgo, 0)
  if (decision.do === 'stand') return [{ what: 'stands', operations: planCandidacy(view, me) }]
  return decision.do === 'abdicate'
    ? [{ what: 'abdicates', operations: decision.operations }]
    : nothing
}

function reshard({ view: tree, read, me, now }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance)) return nothing
  const decision = planResharding(view, me, {
    total: settingsOf(view).total,
    strategy: averageAllocation,
    staticSharding: settingsOf(view).staticSharding === true,
    now,
    nextFire: fires.nextAfter(now),
    isDue: true,
    neededSince: longAgo,
    lastChange: longAgo,
    states: new Map([...view.shards.keys()].map((shard) => [shard, shardStateOf(read, shard)])),
  })
  if (decision.do !== 'commit') return nothing
  return decision.parts.map((operations) => ({ what: 'reshards', operations }))
}

function statesOf(read: Tree, shards: readonly number[]): Map<number, Versioned<ShardState>> {
  const states = new Map<number, Versioned<ShardState>>()
  for (const shard of shards) {
    const known = shardStateOf(read, shard)
    if (known !== undefined) states.set(shard, known)
  }
  return states
}

function findCrashed({ view: tree, read, me, now }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance)) return nothing
  const attempts = settingsOf(view).failover ? maximumAttempts : 0
  return [...statesOf(read, suspects(view))]
    .filter(([, { value }]) => isCrashed(view, value))
    .map(([shard, known]) => ({
      what: `reports the run of shard ${shard} as crashed`,
      operations: planCrash(view, me, shard, known, { maximumAttempts: attempts, now }).operations,
    }))
}

/** The shards that an instance would take over, as far as it knows. */
export function shardsToTake({ view: tree, me, now }: Seen): readonly number[] {
  const view = viewOf(tree)
  const { failover, total } = settingsOf(view)
  if (!failover || !view.instances.has(me.instance)) return []
  const seen = new Map([...view.failoverShards].map((shard) => [shard, longAgo] as const))
  const { shards: shardingItems } = takeoverShards(view, me, total, now, seen)
  return shardingItems.filter((shard) => !isRunByAnother(view, shard))
}

/** Whether what waits for failover is a crashed run, as far as the instance knows. */
export function isWaitingRun(view: JobView, known: Versioned<ShardState> | undefined): boolean {
  return known !== undefined && isTakeable(view, known.value)
}

function dismiss(seen: Seen): readonly Planned[] {
  const view = viewOf(seen.view)
  if (isMixed(view)) return nothing
  return shardsToTake(seen)
    .map((shard) => [shard, shardStateOf(seen.read, shard)] as const)
    .filter(([, known]) => isDismissible(view, known?.value))
    .map(([shard, known]) => ({
      what: `dismisses shard ${shard}`,
      operations: planDismissal(view, seen.me, shard, known),
    }))
}

function repair({ view: tree, read, me }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance)) return nothing
  const { total, failover } = settingsOf(view)
  const shards = suspiciousShards(view)
  const states = new Map(shards.map((shard) => [shard, shardStateOf(read, shard)]))
  return planRepairs(view, me, { total, failover }, states).map(({ what, operations }) => ({
    what: `repairs ${what}`,
    operations,
  }))
}

function deleteStates({ view: tree, read, me }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance)) return nothing
  const folder = `${paths.shardStates}/`
  const shards = [...read.nodes.keys()]
    .filter((path) => path.startsWith(folder))
    .map((path) => Number(path.slice(folder.length)))
  const { total } = settingsOf(view)
  const plan = planStateDeletion(view, me, total, statesOf(read, shards))
  return plan === undefined
    ? nothing
    : [{ what: `deletes ${plan.what}`, operations: plan.operations }]
}

function clear({ view: tree, me }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance) || settingsOf(view).failover) return nothing
  return unlessEmpty('clears failover', planClearing(view, me))
}

function advance({ view: tree, read, me }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  const round = view.jobState?.value.running
  if (round === undefined || !leads(view, me.instance)) return nothing
  const { total, failover } = settingsOf(view)
  const shards = shardsOfManualRun(view, round, total)
  if (shards.some((shard) => view.shards.get(shard)?.running === true)) return nothing
  if (!isComplete(view, round, shards, statesOf(read, shards), failover)) return nothing
  return unlessEmpty(`completes manual run ${round.id}`, planAdvance(view, me))
}

function convert({ view: tree, me, now }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!view.instances.has(me.instance)) return nothing
  const decision = planConversion(view, me, now, longAgo)
  return decision.do === 'convert'
    ? [{ what: 'turns triggers into a manual run', operations: decision.operations }]
    : nothing
}

function endStops({ view: tree, me }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  return leads(view, me.instance)
    ? unlessEmpty('takes back stops', planStopsOver(view, me))
    : nothing
}

function noteSchedule({ view: tree, me }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance)) return nothing
  const settings = settingsOf(view)
  const digest = digestOfSchedule(settings)
  const timing = { total: settings.total }
  // Which schedules there were is of no account here: all have the same fire times.
  const { jobState } = view
  const isNoted = jobState?.value.schedule?.digest === digest
  return isNoted
    ? nothing
    : unlessEmpty('notes the schedule', planSchedule(view, paths, digest, timing))
}

function repairServer({ view: tree, me }: Seen): readonly Planned[] {
  const structure = { configText: undefined, jobState: noJobState, hasStates: true }
  const { operations } = planStructureRepair(viewOf(tree), me, structure)
  return unlessEmpty('writes its server node', operations)
}

function cleanServers({ view: tree, read, me, now }: Seen): readonly Planned[] {
  const view = viewOf(tree)
  if (!leads(view, me.instance)) return nothing
  const empty = emptyServersOf(view)
  const seen = new Map(empty.map((ip) => [ip, 0] as const))
  const versions = new Map(
    empty.map((ip) => [ip, read.get(paths.server(ip))?.version ?? -1] as const),
  )
  return unlessEmpty('cleans servers', planCleaning(view, me, seen, now + day, versions).operations)
}

function unlessEmpty(what: string, operations: readonly TransactionPart[]): readonly Planned[] {
  return operations.length === 0 ? nothing : [{ what, operations }]
}

/** As `JobCoordinator` has them, in its order. */
export const concerns: readonly Concern[] = [
  { name: 'server node', isExact: true, plan: repairServer },
  { name: 'schedule', isExact: false, plan: noteSchedule },
  { name: 'stops', isExact: false, plan: endStops },
  { name: 'triggers', isExact: false, plan: convert },
  { name: 'manual runs', isExact: false, plan: advance },
  { name: 'election', isExact: false, plan: elect },
  { name: 'crashes', isExact: true, isLeaders: true, plan: findCrashed },
  { name: 'dismissals', isExact: true, plan: dismiss },
  { name: 'clearing', isExact: true, isLeaders: true, plan: clear },
  { name: 'resharding', isExact: false, isLeaders: true, plan: reshard },
  { name: 'reconcile', isExact: true, isLeaders: true, plan: repair },
  { name: 'shard states', isExact: true, isLeaders: true, plan: deleteStates },
  { name: 'servers', isExact: false, plan: cleanServers },
]

/** What an instance of Java's console asks for: a run of everybody now. */
export function rawTriggers(view: JobView): TransactionPart[] {
  return [...view.instances].map((instance) => part.create(paths.trigger(instance)))
}

/** Whether an instance's server node stands, as Java needs it. */
export function hasServer(view: JobView, instance: string): boolean {
  return view.servers.has(serverOf(instance))
}
