/** Everything that may happen next in a cluster, each as a step to another cluster. */
import { type Ending, planEnd } from '../../packages/core/src/execution/plan.ts'
import { planTake } from '../../packages/core/src/failover/plan.ts'
import { type ShardState, neverRun } from '../../packages/core/src/job-tree/shard-state.ts'
import { noJobState } from '../../packages/core/src/job-tree/job-state.ts'
import { part, type TransactionPart } from '../../packages/core/src/registry/transaction.ts'
import { planDeparture } from '../../packages/core/src/scheduler/departure-plan.ts'
import { planRegistration } from '../../packages/core/src/servers/plan.ts'
import { type Action, carryOutAction } from './actions.ts'
import {
  type Attempt,
  type Budget,
  type Cluster,
  type Instance,
  memberOf,
  period,
  type Run,
  start,
} from './cluster.ts'
import {
  type Concern,
  concerns,
  isWaitingRun,
  type Planned,
  type Seen,
  shardsToTake,
} from './concerns.ts'
import { claimOf, fires, ownedOf, settingsOf } from './due-shards.ts'
import {
  checkAssignment,
  checkClaim,
  checkClaimedState,
  checkEnd,
  checkExact,
  checkLeader,
  checkLeads,
  checkManualRun,
  checkMoves,
  checkRunMark,
  checkStart,
  checkStops,
  checkTakeover,
  checkTree,
  checkVersions,
  checkWanted,
  Violation,
} from './invariants.ts'
import { emptyTree as emptied, type Tree } from './tree.ts'
import { paths, shardStateOf, state, viewOf } from './view.ts'

export interface Step {
  readonly what: string
  readonly next: Cluster
}

/** What a scenario lets happen. */
export interface Rules {
  readonly shards: number
  readonly concerns: ReadonlySet<string>
  readonly actions: readonly Action[]
  /** Instances may refresh their view without reading shard states again. */
  readonly splitsReads: boolean
}

export function* stepsOf(cluster: Cluster, rules: Rules): Generator<Step> {
  for (const [index, instance] of cluster.instances.entries()) {
    switch (instance.status) {
      case 'new':
        yield* refreshes(cluster, index, rules)
        yield* registration(cluster, index)
        break
      case 'up':
        yield* refreshes(cluster, index, rules)
        for (const concern of concerns) {
          if (rules.concerns.has(concern.name)) yield* structural(cluster, index, concern)
        }
        for (let shard = 0; shard < rules.shards; shard++) {
          yield* claims(cluster, index, shard)
          if (rules.concerns.has('takeovers')) yield* takeovers(cluster, index, shard)
        }
        yield* ends(cluster, index)
        yield* departure(cluster, index)
        yield* death(cluster, index)
        break
      case 'left':
        yield* refreshes(cluster, index, rules)
        yield* ends(cluster, index)
        if (instance.runs.length === 0) yield expiry(cluster, index, 'closes its session')
        yield* death(cluster, index)
        break
      case 'gone':
        break
    }
  }
  yield* fromOutside(cluster, rules)
}

/** Time and operators. */
function* fromOutside(cluster: Cluster, { actions }: Rules): Generator<Step> {
  const { budget } = cluster
  if (budget.fires > 0) yield { what: 'the next fire time comes', next: nextFire(cluster) }
  if (budget.actions === 0) return
  for (const action of actions) {
    const tree = cluster.tree.derived(`${action} ${cluster.time}`, () =>
      carryOutAction(action, cluster),
    )
    if (tree === undefined) continue
    yield {
      what: `an operator: ${action}`,
      next: checked({ ...cluster, tree, budget: spend(budget, 'actions') }),
    }
  }
}

export function nextFire(cluster: Cluster): Cluster {
  const budget = spend(cluster.budget, 'fires')
  return { ...cluster, time: (Math.floor(cluster.time / period) + 1) * period, budget }
}

function spend(budget: Budget, what: keyof Budget): Budget {
  return { ...budget, [what]: Math.max(budget[what] - 1, 0) }
}

function* refreshes(cluster: Cluster, index: number, { splitsReads }: Rules): Generator<Step> {
  const { tree, instances } = cluster
  const { id, view, read } = instances[index] as Instance
  if (view !== tree && splitsReads) {
    yield {
      what: `${nameOf(id)} refreshes its view`,
      next: changed(cluster, index, { view: tree }),
    }
  }
  if (read !== tree) {
    const fresh = { view: tree, read: tree }
    yield { what: `${nameOf(id)} reads shard states`, next: changed(cluster, index, fresh) }
  }
}

function* registration(cluster: Cluster, index: number): Generator<Step> {
  const { id, view } = cluster.instances[index] as Instance
  const arrival = {
    instanceText: '',
    disabled: false,
    overwrite: false,
    jobState: noJobState,
    hasStates: true,
    now: cluster.time,
  }
  const operations = view.derived(`register ${id} at ${cluster.time}`, () => [
    part.ephemeral(state.aliveNode(id)),
    ...planRegistration(viewOf(view), memberOf(id), arrival),
  ])
  const tree = cluster.tree.apply(operations, id, cluster.time)
  if (typeof tree === 'string') return
  const next = changed({ ...cluster, tree }, index, { status: 'up', view: tree, read: tree })
  yield { what: `${nameOf(id)} registers`, next: checked(next) }
}

function* structural(cluster: Cluster, index: number, concern: Concern): Generator<Step> {
  const instance = cluster.instances[index] as Instance
  const { time } = cluster
  const { id, view, read } = instance
  const seen: Seen = { view, read, me: memberOf(id), now: time }
  for (const { what, operations } of planned(cluster, index, concern, seen)) {
    const tree = commit(cluster, instance, operations)
    if (tree === undefined) continue
    if (concern.isLeaders === true) checkLeads(what, cluster.tree, instance)
    if (concern.name === 'resharding' && view === cluster.tree) checkMoves(cluster.tree, tree)
    if (concern.isExact && knowsSettings(cluster, instance)) {
      const current = { ...seen, view: cluster.tree, read: cluster.tree }
      const fresh = planned(cluster, index, concern, current)
      const same = fresh.find((one) => one.what === what)
      checkExact(what, tree, same && commit(cluster, instance, same.operations))
    }
    yield { what: `${nameOf(id)} ${what}`, next: checked({ ...cluster, tree }) }
  }
}

function planned(
  cluster: Cluster,
  index: number,
  concern: Concern,
  seen: Seen,
): readonly Planned[] {
  const key = keyFor(cluster, index, seen.read, concerns.indexOf(concern))
  return seen.view.derived(key, () => concern.plan(seen))
}

/** Stands for what a plan depends on beside the view: who plans what, when, on which shard states. */
function keyFor({ time }: Cluster, index: number, read: Tree, what: number): number {
  const fire = Math.floor((time - start) / period) + 1
  return ((read.id * 16 + fire) * 8 + index) * 256 + what
}

/** An operator's new settings may come too late for a plan: that is no mistake of the plan. */
function knowsSettings({ tree }: Cluster, { view }: Instance): boolean {
  return view.text(paths.config) === tree.text(paths.config)
}

/** The tree afterwards; undefined if the transaction is refused or changes nothing. */
function commit(
  { tree, time }: Cluster,
  instance: Instance,
  operations: readonly TransactionPart[],
): Tree | undefined {
  const after = tree.apply(operations, instance.id, time)
  if (typeof after === 'string' || after === tree) return undefined
  checkAssignment(tree, after, instance)
  checkVersions(tree, after, instance)
  checkLeader(tree, after)
  checkManualRun(tree, after)
  checkStops(tree, after)
  return after
}

function countOf({ history }: Cluster, shard: number): number {
  let count = 0
  for (const one of history) if (one.shard === shard) count += 1
  return count
}

function runIdOf(cluster: Cluster, shard: number): string {
  return `${shard}-${countOf(cluster, shard)}`
}

/** Behind the concerns: the claims of each run id, then the takeovers. */
function claimKey(cluster: Cluster, shard: number): number {
  const count = countOf(cluster, shard)
  if (count >= mostRuns) throw new Error(`shard ${shard} has run ${count} times`)
  return 32 + shard * mostRuns + count
}

const mostRuns = 16
const takeKey = 64

function* claims(cluster: Cluster, index: number, shard: number): Generator<Step> {
  const instance = cluster.instances[index] as Instance
  const { id, view, read, runs } = instance
  if (runs.some((run) => run.shard === shard)) return
  const planKey = keyFor(cluster, index, read, claimKey(cluster, shard))
  const plan = view.derived(planKey, () =>
    claimOf(view, read, memberOf(id), shard, cluster.time, runIdOf(cluster, shard)),
  )
  if (plan === undefined) return
  const tree = commit(cluster, instance, plan.operations)
  if (tree === undefined) return
  checkClaim(cluster.tree, id, shard)
  checkWanted(cluster, memberOf(id), shard, plan.due)
  checkRunMark(tree, id, shard, settingsOf(viewOf(view)).failover)
  const key =
    plan.due.source === 'trigger' ? `manual run ${plan.due.round.id}` : keyOf(plan.shardState)
  const before = ownedOf(read, shard).shardState ?? neverRun
  checkClaimedState(before, plan.shardState, plan.due)
  yield* begins(cluster, index, tree, { shard, key, before, claimed: plan.shardState })
}

function* takeovers(cluster: Cluster, index: number, shard: number): Generator<Step> {
  const instance = cluster.instances[index] as Instance
  const { runs } = instance
  if (runs.some((run) => run.shard === shard)) return
  const operations = takeOf(cluster, instance, shard)
  if (operations === undefined) return
  const tree = commit(cluster, instance, operations.operations)
  if (tree === undefined) return
  if (knowsSettings(cluster, instance)) {
    const fresh = takeOf(cluster, { ...instance, view: cluster.tree, read: cluster.tree }, shard)
    checkExact('takes over', tree, fresh && commit(cluster, instance, fresh.operations))
  }
  checkTakeover(tree, instance.id, shard)
  checkRunMark(tree, instance.id, shard, true)
  const { before, shardState } = operations
  yield* begins(cluster, index, tree, {
    shard,
    key: keyOf(shardState),
    before,
    claimed: shardState,
  })
}

function takeOf(
  cluster: Cluster,
  { id, view, read }: Instance,
  shard: number,
): PlannedTake | undefined {
  const index = cluster.instances.findIndex((one) => one.id === id)
  const key = keyFor(cluster, index, read, claimKey(cluster, shard) + takeKey)
  return view.derived(key, () => planTakeOf(cluster, { id, view, read }, shard))
}

interface PlannedTake {
  readonly operations: readonly TransactionPart[]
  readonly before: ShardState
  readonly shardState: ShardState
}

function planTakeOf(
  cluster: Cluster,
  { id, view, read }: Pick<Instance, 'id' | 'view' | 'read'>,
  shard: number,
): PlannedTake | undefined {
  const me = memberOf(id)
  const now = cluster.time
  if (!shardsToTake({ view, read, me, now }).includes(shard)) return undefined
  const known = shardStateOf(read, shard)
  if (known === undefined || !isWaitingRun(viewOf(view), known)) return undefined
  const settings = {
    now,
    runId: runIdOf(cluster, shard),
    nextFireTime: fires.nextAfter(now),
    gone: [],
  }
  return { before: known.value, ...planTake(viewOf(view), me, shard, known, settings) }
}

function keyOf({ source, round, fireTime }: ShardState): string {
  return source === 'trigger' ? `manual run ${round}` : `the fire time ${fireTime}`
}

/** A claim is committed: its reply comes, or is lost. */
function* begins(
  cluster: Cluster,
  index: number,
  tree: Tree,
  what: Pick<Run, 'shard' | 'key' | 'before' | 'claimed'>,
): Generator<Step> {
  const { id, runs } = cluster.instances[index] as Instance
  const { shard, key, claimed } = what
  const { run: runId, attempt } = claimed
  const begun: Attempt = { shard, key, attempt, instance: id, runId, state: 'running' }
  checkStart(cluster, begun)
  const version = tree.get(paths.shardState(shard))?.version ?? -1
  const history = [...cluster.history, begun]
  const run: Run = { ...what, runId, version, isUnsure: false }
  const messageParts = `${nameOf(id)} ${attempt === 1 ? 'claims' : 'takes over'} shard ${shard} for ${key}`
  const known = changed({ ...cluster, tree, history }, index, {
    view: tree,
    read: tree,
    runs: [...runs, run],
  })
  yield { what: messageParts, next: checked(known) }
  const { budget } = cluster
  if (budget.lostReplies === 0) return
  const unsure = changed(
    { ...cluster, tree, history, budget: spend(budget, 'lostReplies') },
    index,
    { runs: [...runs, { ...run, isUnsure: true }] },
  )
  yield { what: `${messageParts}, and the reply is lost`, next: checked(unsure) }
}

type Ended = Pick<Ending, 'outcome' | 'handOver'> & { readonly state: Attempt['state'] }

function* ends(cluster: Cluster, index: number): Generator<Step> {
  const { status, view, runs } = cluster.instances[index] as Instance
  for (const run of runs) {
    if (run.isUnsure) {
      yield settled(cluster, index, run)
      continue
    }
    const { failover, total } = settingsOf(viewOf(view))
    const mayHandOver = failover && run.shard < total
    const isTaken = run.claimed.attempt > 1
    yield* end(cluster, index, run, { outcome: 'success', handOver: false, state: 'completed' })
    if (viewOf(view).jobState?.value.stops?.[run.shard] === run.runId) {
      yield* end(cluster, index, run, { outcome: 'stopped', handOver: false, state: 'completed' })
    }
    if (status === 'left') {
      const outcome = { outcome: 'aborted', handOver: mayHandOver } as const
      yield* end(cluster, index, run, {
        ...outcome,
        state: mayHandOver ? 'handed over' : 'completed',
      })
    }
    const { budget } = cluster
    if (budget.releases > 0) {
      const handOver = isTaken && mayHandOver
      const left = { ...cluster, budget: spend(budget, 'releases') }
      yield* end(left, index, run, { outcome: 'not-started', handOver, state: 'released' })
    }
  }
}

function* end(
  cluster: Cluster,
  index: number,
  run: Run,
  { outcome, handOver, state: then }: Ended,
): Generator<Step> {
  const { id, view, runs } = cluster.instances[index] as Instance
  // The events of its own claim come before the reply to it.
  if (shardStateOf(view, run.shard)?.value.run !== run.runId) return
  const { shard, runId, claimed, version, before } = run
  const ending: Ending = { outcome, error: undefined, handOver, before, now: cluster.time }
  const owned = { ...ownedOf(view, shard), shardState: claimed, stateVersion: version }
  const key = `end ${runId} ${outcome} ${handOver} ${version} ${cluster.time}`
  const { operations } = view.derived(key, () => planEnd(viewOf(view), memberOf(id), owned, ending))
  const tree = cluster.tree.apply(operations, id, cluster.time)
  // A mark came or went: the end is planned again when the view shows it.
  if (tree === 'NO_NODE' || tree === 'NODE_EXISTS') return
  if (typeof tree === 'string') throw new Violation(`the end of shard ${shard} is refused: ${tree}`)
  checkEnd(tree, id, shard, handOver)
  const history = cluster.history.map((one) =>
    one.shard === shard && one.runId === runId ? { ...one, state: then } : one,
  )
  const next = changed({ ...cluster, tree, history }, index, {
    view: tree,
    read: tree,
    runs: runs.filter((one) => one !== run),
  })
  yield { what: `${nameOf(id)} ends shard ${shard}: ${outcome}`, next: checked(next) }
}

/** The reply to a claim was lost: what the shard state says decides. */
function settled(cluster: Cluster, index: number, run: Run): Step {
  const { tree, instances } = cluster
  const { id, runs } = instances[index] as Instance
  const isOurs = shardStateOf(tree, run.shard)?.value.run === run.runId
  const others = runs.filter((one) => one !== run)
  const next = changed(cluster, index, {
    view: tree,
    read: tree,
    runs: isOurs ? [...others, { ...run, isUnsure: false }] : others,
  })
  return { what: `${nameOf(id)} finds out what came of its claim of shard ${run.shard}`, next }
}

function* departure(cluster: Cluster, index: number): Generator<Step> {
  const { budget, time } = cluster
  const { id, view } = cluster.instances[index] as Instance
  const { jobState, instances } = viewOf(view)
  // Java's console deletes the instance node of whom it shuts down.
  const isAsked = jobState?.value.shutdown?.includes(id) === true || !instances.has(id)
  if (budget.departures === 0 && !isAsked) return
  let { tree } = cluster
  const transactions = view.derived(`leave ${id}`, () =>
    planDeparture(viewOf(view), memberOf(id), 'everything'),
  )
  for (const operations of transactions) {
    const after = tree.apply(operations, id, time)
    if (typeof after !== 'string') tree = after
  }
  const left = isAsked ? cluster : { ...cluster, budget: spend(budget, 'departures') }
  const next = changed({ ...left, tree }, index, { status: 'left', view: tree })
  yield { what: `${nameOf(id)} leaves the job`, next: checked(next) }
}

function* death(cluster: Cluster, index: number): Generator<Step> {
  const { budget } = cluster
  if (budget.deaths === 0) return
  yield expiry({ ...cluster, budget: spend(budget, 'deaths') }, index, 'dies')
}

function expiry(cluster: Cluster, index: number, what: string): Step {
  const { id, runs } = cluster.instances[index] as Instance
  const tree = cluster.tree.derived(`expire ${id}`, () => cluster.tree.expire(id, cluster.time))
  const lost = new Set(runs.map(({ shard, runId }) => `${shard} ${runId}`))
  const history = cluster.history.map((one) =>
    lost.has(`${one.shard} ${one.runId}`) ? { ...one, state: 'crashed' as const } : one,
  )
  // Nothing of it acts any more: its views are of no account.
  const gone = { status: 'gone', runs: [], view: emptied, read: emptied } as const
  const next = changed({ ...cluster, tree, history }, index, gone)
  return { what: `${nameOf(id)} ${what}`, next: checked(next) }
}

function changed(cluster: Cluster, index: number, change: Partial<Instance>): Cluster {
  const instances = [...cluster.instances]
  instances[index] = { ...(instances[index] as Instance), ...change }
  return { ...cluster, instances }
}

function checked(cluster: Cluster): Cluster {
  checkTree(cluster)
  return cluster
}

/** A short name: the last letter of the token. */
function nameOf(id: string): string {
  return id.slice(-1)
}
