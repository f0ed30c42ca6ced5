/**
 * From wherever a cluster has got to, instances that see everything and act on it have to come to rest: nothing
 * is left behind, every shard has a living owner, and the next fire time runs every shard once.
 */
import {
  availableInstances,
  isDead,
  type JobView,
} from '../../packages/core/src/job-tree/job-view.ts'
import { isPaused, noJobState } from '../../packages/core/src/job-tree/job-state.ts'
import { serverOf } from '../../packages/core/src/job-tree/instance-id.ts'
import { digestOf } from '../../packages/core/src/sharding/needs.ts'
import { averageAllocation } from '../../packages/core/src/sharding/strategies/average-allocation.ts'
import { type Budget, type Cluster, type Instance, period } from './cluster.ts'
import { concerns } from './concerns.ts'
import { settingsOf } from './due-shards.ts'
import { Violation } from './invariants.ts'
import { nextFire, type Rules, type Step, stepsOf } from './steps.ts'
import type { Tree } from './tree.ts'
import { paths, shardStateOf, viewOf } from './view.ts'

/** More steps than any cluster of a scenario needs. */
const timeout = 400

const nothingMore: Budget = {
  deaths: 0,
  departures: 0,
  fires: 0,
  lostReplies: 0,
  releases: 0,
  actions: 0,
}

const allConcerns: ReadonlySet<string> = new Set([...concerns.map(({ name }) => name), 'takeovers'])

/** Throws if the cluster does not come to rest, or not as it should. */
export function checkConvergence(cluster: Cluster, { shards }: Rules): void {
  const rules: Rules = { shards, concerns: allConcerns, actions: [], splitsReads: false }
  const taken: string[] = []
  try {
    const rested = rest({ ...cluster, budget: nothingMore }, rules, taken)
    checkRest(rested, shards)
    taken.push('the next fire time comes')
    const fire = rest(nextFire(rested), rules, taken)
    checkRest(fire, shards)
    checkFire(rested, fire)
  } catch (error) {
    if (error instanceof Violation) error.after.push(...taken)
    throw error
  }
}

/** Whoever has not joined yet does so only if nobody else is there. */
function rest(cluster: Cluster, rules: Rules, taken: string[]): Cluster {
  let current = cluster
  for (let count = 0; count < timeout; count++) {
    const isSomebodyThere = current.instances.some(({ status }) => status === 'up')
    const step = firstStep(refreshed(current), rules, isSomebodyThere)
    if (step === undefined) return current
    taken.push(step.what)
    current = step.next
  }
  throw new Violation(`the cluster does not come to rest within ${timeout} steps`)
}

function firstStep(cluster: Cluster, rules: Rules, keepOut: boolean): Step | undefined {
  for (const step of stepsOf(cluster, rules)) {
    if (!(keepOut && step.what.endsWith('registers'))) return step
  }
  return undefined
}

function refreshed(cluster: Cluster): Cluster {
  const { tree } = cluster
  const instances = cluster.instances.map((instance): Instance =>
    instance.status === 'gone' ? instance : { ...instance, view: tree, read: tree },
  )
  return { ...cluster, instances }
}

function checkRest({ tree, instances, history }: Cluster, shards: number): void {
  const view = viewOf(tree)
  const left: string[] = []
  if (!instances.some(({ status }) => status === 'up')) return
  if (view.necessary !== undefined || view.processing) left.push('a resharding flag')
  if (view.triggers.size > 0) left.push('triggers')
  if (view.jobState?.value.stops !== undefined) left.push('stops')
  const isServed = isAnybodyEnabled(view)
  if (isServed && view.leader === undefined) left.push('no leader')
  if (view.leader !== undefined && isDead(view, view.leader.instance)) left.push('a dead leader')
  if (isServed && !isEnabled(view, view.leader?.instance ?? '')) left.push('a disabled leader')
  if (isServed && view.assignment?.value.digest !== digestAtRest(view))
    left.push('an old assignment')
  if (isServed && !isBalanced(tree)) left.push('shards on others than the strategy wants')
  for (let shard = 0; shard < shards; shard++) left.push(...leftOf(view, shard, isServed))
  if (isServed && view.jobState?.value.running !== undefined) left.push('a manual run')
  for (const one of history) {
    if (one.state === 'running') left.push(`a run of shard ${one.shard} on ${one.instance}`)
  }
  if (left.length > 0) throw new Violation(`at rest there is still: ${left.join('; ')}`)
}

function* leftOf(view: JobView, shard: number, isServed: boolean): Generator<string> {
  const nodes = view.shards.get(shard)
  const { total } = settingsOf(view)
  if (shard >= total) {
    if (isServed && nodes !== undefined) yield `surplus shard ${shard}`
    return
  }
  const isDisabled = nodes?.disabled === true
  if (view.failoverShards.has(shard) && isServed && !isDisabled) {
    yield `shard ${shard} waiting for failover`
  }
  for (const mark of ['running', 'failover', 'failovering'] as const) {
    const by = nodes?.[mark]
    if (by !== undefined && by !== false) yield `mark ${mark} of shard ${shard}`
  }
  if (!isServed) return
  const owner = view.assignment?.value.owners[shard]
  if (owner === undefined || !view.instances.has(owner)) yield `shard ${shard} without a live owner`
  if (!isEnabled(view, owner ?? '')) yield `shard ${shard} on a disabled server`
  if (view.assignment?.value.moving.has(shard) === true) yield `shard ${shard} moving`
}

/** Whether the strategy, which goes by members alone, would give every shard to its owner. */
function isBalanced(tree: Tree): boolean {
  const view = viewOf(tree)
  const { total, staticSharding } = settingsOf(view)
  const wanted = averageAllocation.shard(
    availableInstances(view),
    view.jobName,
    total,
    new Map(),
    0,
  )
  return [...wanted].every(([instance, shards]) => {
    const isOwner = (shard: number): boolean => tree.text(paths.owner(shard)) === instance
    return staticSharding === true || shards.every(isOwner)
  })
}

/** Of the members and settings of now. */
function digestAtRest(view: JobView): string {
  const { total } = settingsOf(view)
  return digestOf(availableInstances(view), { total, strategy: averageAllocation.type })
}

function isAnybodyEnabled(view: JobView): boolean {
  return [...view.instances].some((instance) => isEnabled(view, instance))
}

function isEnabled({ servers }: JobView, instance: string): boolean {
  return servers.get(serverOf(instance)) !== 'DISABLED'
}

/** Every shard that may run has run once for the fire time that has come. */
function checkFire(before: Cluster, { tree, time, history }: Cluster): void {
  const view = viewOf(tree)
  const jobState = view.jobState?.value ?? noJobState
  if (!isAnybodyEnabled(view)) return
  if (time !== (Math.floor(before.time / period) + 1) * period) throw new Error('no fire time came')
  for (let shard = 0; shard < settingsOf(view).total; shard++) {
    const nodes = view.shards.get(shard)
    const owner = tree.text(paths.owner(shard)) ?? ''
    if (nodes?.disabled === true || isPaused(jobState, serverOf(owner))) continue
    const runs = history.filter((one) => {
      const isFire = one.key === `the fire time ${time}`
      return one.shard === shard && isFire && one.state === 'completed'
    })
    if (runs.length !== 1) {
      const state = JSON.stringify(shardStateOf(tree, shard)?.value)
      throw new Violation(`shard ${shard} ran ${runs.length} times at ${time}; its state: ${state}`)
    }
  }
}

/** What convergence depends on: the views do not matter, everybody looks again. */
export function convergenceKey({ tree, time, instances, history }: Cluster): string {
  const candidacy = instances.map(({ status, runs }) => {
    return `${status}${runs.map(({ runId, isUnsure }) => `${runId}${isUnsure}`).join()}`
  })
  const runs = history.map((one) => `${one.shard}${one.key}${one.attempt}${one.state}`)
  return `${tree.low} ${tree.high} ${time} ${candidacy.join()} ${runs.toSorted().join()}`
}
