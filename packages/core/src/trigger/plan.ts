/** Manual runs: requests to run shards now, one at a time and one waiting. */
import { ElasticJobError } from '../errors.ts'
import type { RunOutcome } from '../events.ts'
import { isTarget } from '../fire-times/due.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, isMixed, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState, noJobState, type ManualRun } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { ownerOf } from '../sharding/needs.ts'

export type ManualRunRequest = Pick<ManualRun, 'parameter' | 'instances' | 'shards'>

/** The shards whose last run has not done its work, and which nobody will run again by himself. */
export function failedShards(
  view: JobView,
  shardStates: ReadonlyMap<number, Versioned<ShardState>>,
  failover: boolean,
): number[] {
  const failed = [...shardStates].filter(([, { value }]) => {
    if (value.state === 'abandoned') return true
    if (value.state === 'idle') return value.outcome !== undefined && isFailed.has(value.outcome)
    return !failover && (value.state === 'crashed' || isDead(view, value.instance))
  })
  return failed.map(([shard]) => shard).toSorted((a, b) => a - b)
}

const isFailed: ReadonlySet<RunOutcome> = new Set(['failure', 'aborted', 'stopped'])

export interface ManualRunPlan {
  readonly manualRun: ManualRun
  readonly operations: readonly TransactionPart[]
}

/**
 * Asks for a manual run. While one runs the next one waits for it; a third that asks for the same as the waiting one is
 * the same, any other has to come later.
 */
export function planManualRun(
  view: JobView,
  me: Pick<Member, 'paths'>,
  request: ManualRunRequest,
  now: number,
): ManualRunPlan {
  const targets = [...view.instances].filter(
    (instance) => request.instances?.includes(instance) ?? true,
  )
  if (view.jobState === undefined || targets.length === 0) {
    throw new ElasticJobError(
      'JOB_NO_INSTANCE',
      request.instances === undefined
        ? `job ${view.jobName} has no instance that could run it; start one, then trigger it again`
        : `none of the instances named takes part in job ${view.jobName}: ${request.instances.join(', ')}`,
    )
  }
  const { value, version } = view.jobState
  const { pending } = value
  if (pending !== undefined) {
    if (isSameRequest(pending, request)) return { manualRun: pending, operations: [] }
    throw new ElasticJobError(
      'JOB_TRIGGER_PENDING',
      `job ${view.jobName} runs manual run ${value.running?.id ?? 0} and manual run ${pending.id} waits for it ` +
        `with other parameters; trigger it again when that one has begun`,
    )
  }
  const manualRun: ManualRun = { id: value.lastRound + 1, asked: now, ...request }
  const place = value.running === undefined ? { running: manualRun } : { pending: manualRun }
  const jobState: JobState = { ...value, lastRound: manualRun.id, ...place }
  return {
    manualRun,
    operations: [
      part.set(me.paths.jobState, encodeJobState(jobState), version),
      ...javaTriggers(view, me, request),
    ],
  }
}

function isSameRequest(manualRun: ManualRun, request: ManualRunRequest): boolean {
  const key = ({ parameter, instances, shards }: ManualRunRequest): string =>
    JSON.stringify([parameter ?? null, instances ?? null, shards ?? null])
  return key(manualRun) === key(request)
}

/**
 * For Java the node is the trigger: it runs all that it owns, with the job's own parameter. One that asks
 * for something else is not for Java.
 */
function javaTriggers(
  view: JobView,
  me: Pick<Member, 'paths'>,
  { instances, shards, parameter }: ManualRunRequest,
): TransactionPart[] {
  if (shards !== undefined || parameter !== undefined) return []
  const java = [...view.instances].filter(
    (instance) => isJavaInstance(instance) && (instances?.includes(instance) ?? true),
  )
  const missing = java.filter((instance) => !view.triggers.has(instance))
  if (missing.length === 0) return []
  const folder = view.folders.has('trigger') ? [] : [part.create(me.paths.triggers)]
  return [...folder, ...missing.map((instance) => part.create(me.paths.trigger(instance)))]
}

/** Those of Java's that come within this time of each other are one request. */
const together = 1000

export type ConversionDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  | {
      readonly do: 'convert'
      readonly operations: readonly TransactionPart[]
      readonly round: ManualRun
    }

/**
 * Triggers that Java's tools have left for instances of ours become one manual run of those instances, by whoever of
 * ours comes first. `firstSeen`: when this instance saw the first of them.
 */
export function planConversion(
  view: JobView,
  me: Member,
  now: number,
  firstSeen: number,
): ConversionDecision {
  const ours = [...view.triggers.keys()].filter((instance) => !isJavaInstance(instance))
  const living = ours.filter((instance) => view.instances.has(instance))
  if (living.length === 0 || view.jobState === undefined) return { do: 'nothing' }
  const everybody = [...view.instances].every(
    (instance) => isJavaInstance(instance) || view.triggers.has(instance),
  )
  if (!everybody && now < firstSeen + together) return { do: 'wait', until: firstSeen + together }
  const { value, version } = view.jobState
  // One that waits reaches them, too, if it asks for no less; else its turn has to come first.
  if (value.pending !== undefined && !reaches(value.pending, living)) return { do: 'nothing' }
  const manualRun: ManualRun = value.pending ?? {
    id: value.lastRound + 1,
    asked: now,
    ...(everybody ? {} : { instances: living.toSorted() }),
  }
  const place = value.running === undefined ? { running: manualRun } : { pending: manualRun }
  const jobState: JobState = {
    ...value,
    lastRound: Math.max(value.lastRound, manualRun.id),
    ...place,
  }
  return {
    do: 'convert',
    round: manualRun,
    operations: [
      part.set(me.paths.jobState, encodeJobState(jobState), version),
      ...ours.map((instance) => part.delete(me.paths.trigger(instance))),
    ],
  }
}

/**
 * Wishes to instances of ours that are gone. In a mixed job nobody else takes them away: Java does not, and what a
 * leader of ours repairs waits until no Java is about.
 */
export function forgottenTriggers(view: JobView): string[] {
  if (!isMixed(view)) return []
  return [...view.triggers.keys()].filter(
    (instance) => !isJavaInstance(instance) && isDead(view, instance),
  )
}

/** Whether a manual run is all that a trigger of Java's tools asks of some instances: all shards, no parameter. */
function reaches({ parameter, shards, instances }: ManualRun, wanted: readonly string[]): boolean {
  if (parameter !== undefined || shards !== undefined) return false
  return instances === undefined || wanted.every((instance) => instances.includes(instance))
}

/** The shards that a manual run has to reach before it is complete. */
export function shardsOfManualRun(view: JobView, manualRun: ManualRun, total: number): number[] {
  const shards: number[] = []
  for (let shard = 0; shard < total; shard++) {
    const owner = ownerOf(view, shard)
    if (view.shards.get(shard)?.disabled === true) continue
    if (owner === undefined) {
      if (manualRun.instances === undefined && isTarget(manualRun, shard, '')) shards.push(shard)
      continue
    }
    // Java runs its own by its own triggers, and says nothing of manual runs.
    if (isJavaInstance(owner)) continue
    if (!isTarget(manualRun, shard, owner)) continue
    shards.push(shard)
  }
  return shards
}

/** Whether every shard of the manual run has run in it. */
export function isComplete(
  view: JobView,
  manualRun: ManualRun,
  shards: readonly number[],
  shardStates: ReadonlyMap<number, Versioned<ShardState>>,
  failover: boolean,
): boolean {
  return shards.every((shard) => {
    const shardState = shardStates.get(shard)?.value
    if (shardState === undefined || shardState.round < manualRun.id) return false
    if (shardState.state === 'idle' || shardState.state === 'abandoned') return true
    // What a dead instance left is taken over, or nobody's: then there is nothing to wait for.
    return !failover && (shardState.state === 'crashed' || isDead(view, shardState.instance))
  })
}

/** The manual run is over: the one that waited begins. */
export function planAdvance(view: JobView, me: Member): TransactionPart[] {
  if (view.jobState?.value.running === undefined) return []
  const { running, pending, ...rest } = view.jobState.value
  const jobState: JobState = {
    ...noJobState,
    ...rest,
    previous: running,
    ...(pending === undefined ? {} : { running: pending }),
  }
  return [part.set(me.paths.jobState, encodeJobState(jobState), view.jobState.version)]
}

/** The instances of a server, for a trigger of that server alone. */
export function instancesOf(view: JobView, ip: string): string[] {
  return [...view.instances].filter((instance) => serverOf(instance) === ip).toSorted()
}
