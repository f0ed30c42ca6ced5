/** Manual runs: requests to run shards now, one at a time and one waiting. */
import { ElasticJobError } from '../errors.ts'
import type { RunOutcome } from '../events.ts'
import { isTarget } from '../fire-times/due.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, isMixed, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState, noJobState, type ManualRun } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { ownerOf } from '../sharding/needs.ts'

/** The shards, instances and parameter of a requested manual run. */
export type ManualRunRequest = Pick<ManualRun, 'parameter' | 'instances' | 'shards'>

/** The shards whose last run did not succeed and that no instance will run again on its own. */
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
 * Requests a manual run. While one runs, the next one is pending. A third request that equals the pending one returns
 * the pending one; any other third request is refused.
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
 * For Java the `trigger` node is the request: the instance runs all shards that it owns, with the job's own parameter.
 * A request for certain shards or with a parameter cannot be passed to Java.
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

/** `trigger` nodes of Java's tools that appear within this time are one request, in milliseconds. */
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
 * Converts the `trigger` nodes that Java's tools created for native instances to one manual run of those instances. The
 * first native instance to commit does it. `firstSeen`: when this instance saw the first node.
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
  // A pending manual run that covers these instances serves this request, too; any other has to start first.
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
 * `trigger` nodes of native instances that are dead. In mixed mode nothing else deletes them: Java does not, and a
 * native leader repairs leftovers only while no Java instance is present.
 */
export function forgottenTriggers(view: JobView): string[] {
  if (!isMixed(view)) return []
  return [...view.triggers.keys()].filter(
    (instance) => !isJavaInstance(instance) && isDead(view, instance),
  )
}

/** Whether a manual run covers a trigger of Java's tools for the given instances: all shards, no parameter. */
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
    // Java runs its own shards by its own triggers and does not record manual runs.
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
    // With failover, another instance takes over the run of a dead instance; without it there is nothing to wait for.
    return !failover && (shardState.state === 'crashed' || isDead(view, shardState.instance))
  })
}

/** Ends the current manual run and starts the pending one. */
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
