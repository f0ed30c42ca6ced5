/** What has to hold after every step, whatever the instances believed when they planned it. */
import { ourLeaderVersion } from '../../packages/core/src/election/plan.ts'
import type { Due } from '../../packages/core/src/fire-times/due.ts'
import type { ShardState } from '../../packages/core/src/job-tree/shard-state.ts'
import { isDead, isServerEnabled, type JobView } from '../../packages/core/src/job-tree/job-view.ts'
import { serverOf } from '../../packages/core/src/job-tree/instance-id.ts'
import { noJobState } from '../../packages/core/src/job-tree/job-state.ts'
import type { Member } from '../../packages/core/src/job-tree/member.ts'
import { type Attempt, type Cluster, type Instance, maximumAttempts, type Run } from './cluster.ts'
import { hasServer } from './concerns.ts'
import { settingsOf } from './due-shards.ts'
import type { Tree } from './tree.ts'
import { paths, shardStateOf, viewOf } from './view.ts'

export class Violation extends Error {
  /** The steps of fresh plans that have led to it from where the path ends. */
  readonly after: string[] = []
}

/** Of all instances whose sessions live. */
function runsOf(
  { instances }: Pick<Cluster, 'instances'>,
  shard: number,
): (Run & { by: string })[] {
  return instances.flatMap(({ id, runs }) =>
    runs.filter((run) => run.shard === shard).map((run) => ({ ...run, by: id })),
  )
}

/** A run is about to begin: it is the only one of its shard, and the only one for its fire time and attempt. */
export function checkStart(cluster: Cluster, next: Attempt): void {
  const { shard, key, attempt } = next
  const [other] = runsOf(cluster, shard)
  if (other !== undefined) {
    throw new Violation(`shard ${shard} runs on ${other.by} and begins on ${next.instance}`)
  }
  const before = cluster.history.filter(
    (one) => one.shard === shard && one.key === key && one.state !== 'released',
  )
  const completed = before.find((one) => one.state === 'completed')
  if (completed !== undefined) {
    throw new Violation(`shard ${shard} completed ${key} and runs it again, attempt ${attempt}`)
  }
  const expected = Math.max(0, ...before.map((one) => one.attempt)) + 1
  if (attempt !== expected) {
    throw new Violation(`shard ${shard} runs ${key} as attempt ${attempt}, expected ${expected}`)
  }
  const unfinished = before.find((one) => one.state === 'running')
  if (unfinished !== undefined) {
    throw new Violation(
      `shard ${shard} runs ${key} again although ${unfinished.instance} has not crashed`,
    )
  }
  if (attempt > maximumAttempts)
    throw new Violation(`shard ${shard} has attempt ${attempt} of ${key}`)
}

/** A claim, unlike a takeover, is for a shard that this instance owns and that nothing keeps. */
export function checkClaim(tree: Tree, instance: string, shard: number): void {
  const view = viewOf(tree)
  if (tree.text(paths.owner(shard)) !== instance) {
    throw new Violation(`${instance} claims shard ${shard}, which it does not own`)
  }
  if (!view.instances.has(instance)) {
    throw new Violation(`${instance} claims shard ${shard} although it has left the job`)
  }
  const state = shardStateOf(tree, shard)?.value.state
  if (state === 'running' && settingsOf(view).failover) {
    throw new Violation(`${instance} claims shard ${shard}, whose state says that it runs`)
  }
  if (view.failoverShards.has(shard) && state === 'crashed') {
    throw new Violation(`${instance} claims shard ${shard}, whose crashed run waits for failover`)
  }
}

/** The mark of a run outlives its instance where failover is on, as Java needs it, and goes with the session where not. */
export function checkRunMark(tree: Tree, instance: string, shard: number, failover: boolean): void {
  const mark = tree.get(paths.mark(shard, 'running'))
  const session = failover ? undefined : instance
  if (mark?.text !== instance || mark.session !== session) {
    throw new Violation(`the mark of the run of shard ${shard} is not the one that Java needs`)
  }
}

/** Nothing is claimed that an operator does not want, by somebody who could know it. */
export function checkWanted(
  { tree, time }: Cluster,
  { ip }: Pick<Member, 'ip'>,
  shard: number,
  due: Due,
): void {
  const view = viewOf(tree)
  const jobState = view.jobState?.value ?? noJobState
  const state = shardStateOf(tree, shard)?.value
  const refuse = (why: string): void => {
    throw new Violation(`shard ${shard} is claimed ${why}`)
  }
  if (view.shards.get(shard)?.disabled === true) refuse('although it is disabled')
  if (view.servers.get(ip) === 'DISABLED') refuse('by a disabled server')
  if (due.source === 'trigger') {
    if (due.round.shards?.includes(shard) === false) refuse('for a manual run of other shards')
    return
  }
  const { fireTime } = due
  if (jobState.paused === true || jobState.pausedServers?.includes(ip) === true)
    refuse('during a pause')
  if (fireTime > time) refuse('before its time')
  const isMisfire = state !== undefined && state.begin < fireTime && fireTime <= state.end
  if (due.source === 'misfire' && !isMisfire) refuse('as a misfire of a run that was over by then')
  if (fireTime <= (state?.since ?? 0)) refuse('for a time before it was enabled')
  if (fireTime <= (jobState.schedule?.since ?? 0)) refuse('for a time before its schedule was made')
  if (fireTime <= (jobState.resumed ?? 0)) refuse('for a time before the job was resumed')
  if (fireTime <= (tree.get(paths.shard(shard))?.ctime ?? 0)) refuse('for a time before it existed')
}

/** What a claim writes about the past of its shard: a manual run is no fire time, and a fire time no manual run. */
export function checkClaimedState(before: ShardState, claimed: ShardState, due: Due): void {
  const fireTime = due.source === 'trigger' ? before.fireTime : due.fireTime
  const round = due.source === 'trigger' ? due.round.id : before.round
  if (claimed.fireTime !== fireTime || claimed.round !== round || claimed.attempt !== 1) {
    throw new Violation(`a claim writes ${JSON.stringify(claimed)} after ${JSON.stringify(before)}`)
  }
}

/** A manual run that is completed has reached every shard it is for, and the one that waited begins. */
export function checkManualRun(before: Tree, after: Tree): void {
  const view = viewOf(before)
  const { running, pending } = view.jobState?.value ?? noJobState
  const next = viewOf(after).jobState?.value.running
  if (running === undefined || next?.id === running.id) return
  const { total, failover } = settingsOf(view)
  for (let shard = 0; shard < total; shard++) {
    const isTarget = running.shards?.includes(shard) !== false
    if (view.shards.get(shard)?.disabled === true || !isTarget) continue
    const known = shardStateOf(before, shard)?.value
    const isLost = failover && known?.source === 'trigger' && known.state === 'crashed'
    if (known === undefined || known.round < running.id || isLost) {
      throw new Violation(`manual run ${running.id} is completed, but not by shard ${shard}`)
    }
  }
  if (pending !== undefined && next?.id !== pending.id) {
    throw new Violation(`manual run ${pending.id} waited, and does not begin`)
  }
}

/** A wish to stop a run stays until that run is over. */
export function checkStops(before: Tree, after: Tree): void {
  const stops = viewOf(before).jobState?.value.stops ?? {}
  const left = viewOf(after).jobState?.value.stops ?? {}
  for (const [shard, runId] of Object.entries(stops)) {
    const state = shardStateOf(before, Number(shard))?.value
    if (left[shard] === undefined && state?.state === 'running' && state.run === runId) {
      throw new Violation(`the stop of run ${runId} is taken back while the run goes on`)
    }
  }
}

/** What is taken over waits for nobody any more, and is marked as Java knows it. */
export function checkTakeover(tree: Tree, instance: string, shard: number): void {
  const view = viewOf(tree)
  if (view.failoverShards.has(shard)) {
    throw new Violation(`shard ${shard} waits for failover although ${instance} has taken it over`)
  }
  const { failover, failovering } = view.shards.get(shard) ?? {}
  if (failover !== instance || failovering !== instance) {
    throw new Violation(`shard ${shard} is not marked as taken over by ${instance}`)
  }
}

/** What the end of a run leaves behind. */
export function checkEnd(tree: Tree, instance: string, shard: number, handOver: boolean): void {
  const view = viewOf(tree)
  const nodes = view.shards.get(shard)
  const { state } = shardStateOf(tree, shard)?.value ?? {}
  if (nodes?.running === true || nodes?.failover === instance || nodes?.failovering === instance) {
    throw new Violation(`the end of a run leaves marks of ${instance} at shard ${shard}`)
  }
  if (handOver && !(view.failoverShards.has(shard) && state === 'crashed')) {
    throw new Violation(`a run of shard ${shard} is handed over, but does not wait for failover`)
  }
}

/** What has a version that never begins again is changed on the version that the instance has seen. */
export function checkVersions(before: Tree, after: Tree, { id, view, read }: Instance): void {
  const seen = [
    [paths.jobState, view],
    [paths.assignment, view],
    ...[...viewOf(after).shards.keys()].map((shard) => [paths.shardState(shard), read] as const),
  ] as const
  for (const [path, known] of seen) {
    const was = before.get(path)?.version
    if (was === after.get(path)?.version || was === known.get(path)?.version) continue
    throw new Violation(`${id} changes ${path} at version ${was}, which it has not seen`)
  }
}

/** Whoever becomes leader takes part in the job. */
export function checkLeader(before: Tree, after: Tree): void {
  const { leader, instances } = viewOf(after)
  if (leader === undefined || leader.instance === viewOf(before).leader?.instance) return
  if (!instances.has(leader.instance)) {
    throw new Violation(`${leader.instance} leads although it has left the job`)
  }
}

/** What is the leader's to do is done by the leader alone, on the assignment that it has seen. */
export function checkLeads(what: string, before: Tree, { id, view }: Instance): void {
  const { leader, assignment } = viewOf(before)
  const isSeen = viewOf(view).assignment?.version === assignment?.version
  if (leader?.instance === id && leader.version === ourLeaderVersion && isSeen) return
  throw new Violation(`${id} ${what}, but ${leader?.instance ?? 'nobody'} leads`)
}

/**
 * By a leader that sees everything: a shard that runs keeps its living owner, and with static sharding so does every
 * shard whose owner is there.
 */
export function checkMoves(before: Tree, after: Tree): void {
  const view = viewOf(before)
  const { staticSharding, total } = settingsOf(view)
  for (const [shard, nodes] of view.shards) {
    const owner = before.text(paths.owner(shard))
    const isThere =
      owner !== undefined && view.instances.has(owner) && isServerEnabled(view, serverOf(owner))
    const isKept = nodes.running ? owner !== undefined && !isDead(view, owner) : isThere
    if (shard >= total || !isKept || !(nodes.running || staticSharding === true)) continue
    if (after.text(paths.owner(shard)) !== owner) {
      throw new Violation(`shard ${shard} is taken from ${owner}, which runs it or is to keep it`)
    }
  }
}

/** Who owns what is changed by the leader alone, on the assignment that it has seen. */
export function checkAssignment(before: Tree, after: Tree, instance: Instance): void {
  const was = viewOf(before)
  const is = viewOf(after)
  if (ownersIn(before, was) === ownersIn(after, is)) return
  const { leader, assignment } = was
  if (leader?.instance !== instance.id || leader.version !== ourLeaderVersion) {
    throw new Violation(
      `${instance.id} changes the assignment, but ${leader?.instance ?? 'nobody'} leads`,
    )
  }
  const seen = viewOf(instance.view).assignment?.version
  if (seen !== assignment?.version) {
    throw new Violation(
      `${instance.id} changes the assignment of epoch ${assignment?.version} on a view of epoch ${seen}`,
    )
  }
}

function ownersIn(tree: Tree, view: JobView): string {
  const nodes = [...view.shards.keys()]
    .toSorted((a, b) => a - b)
    .map((shard) => tree.text(paths.owner(shard)))
  return `${nodes.join()} ${view.assignment?.value.owners.join()}`
}

/** The marks of a shard are a projection of its state. */
export function checkTree({ tree, instances }: Cluster): void {
  const view = viewOf(tree)
  for (const [shard, nodes] of view.shards) {
    const state = shardStateOf(tree, shard)?.value
    const isLiving = instances.some(
      ({ id, status }) => id === state?.instance && (status === 'up' || status === 'left'),
    )
    if (nodes.running && state?.state !== 'running') {
      throw new Violation(`shard ${shard} is marked as running, but its state is ${state?.state}`)
    }
    if (!nodes.running && state?.state === 'running' && isLiving) {
      throw new Violation(`shard ${shard} runs on ${state.instance} without a mark`)
    }
  }
  for (const { id, runs } of instances) {
    for (const { shard, runId } of runs) {
      const state = shardStateOf(tree, shard)?.value
      if (state?.run !== runId || state.state !== 'running') {
        throw new Violation(
          `shard ${shard} runs on ${id} as ${runId}, but its state says otherwise`,
        )
      }
    }
  }
  for (const instance of view.instances) {
    if (!hasServer(view, instance)) throw new Violation(`${instance} has no server node`)
  }
}

/** A plan on a stale view did something: a fresh one would have done the same. */
export function checkExact(what: string, stale: Tree, fresh: Tree | undefined): void {
  if (fresh === undefined) throw new Violation(`a stale view ${what}; a fresh one would not`)
  if (!stale.isSame(fresh)) throw new Violation(`a stale view ${what} otherwise than a fresh one`)
}
