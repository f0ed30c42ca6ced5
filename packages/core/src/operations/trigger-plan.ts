/** Plans a manual run that an operator requests; for Java instances, plans the closest equivalent. */
import { ElasticJobError } from '../errors.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import { part } from '../registry/transaction.ts'
import { message, type Message } from '../message.ts'
import { ownerOf } from '../sharding/needs.ts'
import { failedShards, planManualRun, type ManualRunRequest } from '../trigger/plan.ts'
import {
  type ActionPlan,
  emptyPlan,
  type Operator,
  planOf,
  requireNotRemoving,
} from './action-plan.ts'
import { requireInstance, requireShard, requireServer } from './known.ts'
import { type Effect, effectOn, omissionOf, type Target } from './result.ts'
import type { RunsOfJob } from './runner.ts'
import { instancesOn } from './server-status.ts'

/** The shards, servers and parameter of a manual run. */
export interface TriggerRequest {
  /**
   * Replaces `jobParameter` in this manual run.
   * @default none
   */
  readonly parameter?: string | undefined
  /**
   * The instances whose shards run.
   * @default all
   */
  readonly instances?: readonly string[] | undefined
  /**
   * The servers whose shards run.
   * @default all
   */
  readonly servers?: readonly string[] | undefined
  /**
   * The shards to run.
   * @default all
   */
  readonly shards?: readonly number[] | undefined
  /**
   * Whether to run only shards whose last run failed.
   * @default false
   */
  readonly failed?: boolean | undefined
}

export interface TriggerPlan extends ActionPlan {
  /** Undefined if only Java instances are triggered: Java has no manual runs. */
  readonly manualRun: ManualRun | undefined
}

export interface TriggerSettings {
  readonly total: number
  readonly failover: boolean
  readonly now: number
}

export function planTrigger(
  job: RunsOfJob,
  operator: Operator,
  request: TriggerRequest,
  settings: TriggerSettings,
): TriggerPlan {
  const { view } = job
  requireNotRemoving(view)
  const wanted = manualRunRequestOf(job, request, settings)
  const targets = wanted.instances ?? [...view.instances].toSorted()
  const ours = targets.filter((instance) => !isJavaInstance(instance))
  if (ours.length === 0 && targets.length > 0) {
    requireJavaCan(view, wanted)
    const actionPlan = emptyPlan()
    triggerJava(view, operator, targets, actionPlan)
    return { ...actionPlan, manualRun: undefined }
  }
  const { manualRun, operations } = planManualRun(view, operator, wanted, settings.now)
  const effect = effectOn({ jobName: view.jobName }, describe(view.jobName, manualRun))
  const actionPlan = planOf(effect, [...operations])
  tellOfJava(view, wanted, targets, actionPlan)
  tellOfDisabled(view, manualRun, settings.total, actionPlan)
  return { ...actionPlan, manualRun }
}

/** Validates a request and converts it to the stored form of a manual run. */
function manualRunRequestOf(
  { view, shardStates }: RunsOfJob,
  request: TriggerRequest,
  { total, failover }: TriggerSettings,
): ManualRunRequest {
  const { parameter, instances, servers, shards, failed = false } = request
  for (const instance of instances ?? []) requireInstance(view, instance)
  for (const ip of servers ?? []) requireServer(view, ip)
  for (const shard of shards ?? []) requireShard(view, shard, total)
  const named = [...(instances ?? []), ...(servers ?? []).flatMap((ip) => instancesOn(view, ip))]
  const isSome = instances !== undefined || servers !== undefined
  const meant = shards === undefined ? undefined : [...new Set(shards)].toSorted((a, b) => a - b)
  const chosen = failed
    ? failedAmong(failedShards(view, shardStates, failover), meant, view)
    : meant
  return {
    ...(parameter === undefined ? {} : { parameter }),
    ...(isSome ? { instances: [...new Set(named)].toSorted() } : {}),
    ...(chosen === undefined ? {} : { shards: chosen }),
  }
}

function failedAmong(
  failed: readonly number[],
  meant: readonly number[] | undefined,
  { jobName }: JobView,
): number[] {
  const shards = failed.filter((shard) => meant?.includes(shard) ?? true)
  if (shards.length > 0) return shards
  throw new ElasticJobError('JOB_NOTHING_FAILED', message('failed-shards-absent', { jobName }))
}

/**
 * Throws if Java cannot fulfil the request: a triggered Java instance runs all its shards, with the job's own
 * parameter.
 */
function requireJavaCan({ jobName }: JobView, { parameter, shards }: ManualRunRequest): void {
  if (parameter === undefined && shards === undefined) return
  throw new ElasticJobError(
    'JOB_JAVA_INSTANCE',
    parameter === undefined
      ? message('java-shards-unsupported', { jobName })
      : message('java-parameter-unsupported', { jobName }),
  )
}

function triggerJava(
  view: JobView,
  { paths }: Operator,
  targets: readonly string[],
  actionPlan: ActionPlan,
): void {
  if (!view.folders.has('trigger')) actionPlan.operations.push(part.create(paths.triggers))
  for (const instance of targets) {
    const path = paths.trigger(instance)
    // Create a leftover node again: Java reacts to the creation of the node, not to its existence.
    if (view.triggers.has(instance)) actionPlan.operations.push(part.delete(path))
    actionPlan.operations.push(part.create(path))
    actionPlan.done.push(triggered(view, instance))
  }
}

/**
 * Reports the Java instances of a manual run: `planManualRun` triggers those that can fulfil the request, the others
 * are skipped.
 */
function tellOfJava(
  view: JobView,
  { parameter, shards }: ManualRunRequest,
  targets: readonly string[],
  actionPlan: ActionPlan,
): void {
  const isAllTheirs = parameter === undefined && shards === undefined
  for (const instance of targets) {
    if (!isJavaInstance(instance)) continue
    if (isAllTheirs && actionPlan.operations.length > 0) {
      actionPlan.done.push(triggered(view, instance))
    }
    if (isAllTheirs) continue
    const why = message('java-instance-untriggered', { instance })
    actionPlan.skipped.push(omissionOf(placeOf(view, instance), why))
  }
}

function tellOfDisabled(
  view: JobView,
  manualRun: ManualRun,
  total: number,
  actionPlan: ActionPlan,
): void {
  for (let shard = 0; shard < total; shard++) {
    if (view.shards.get(shard)?.disabled !== true) continue
    const owner = ownerOf(view, shard)
    const isMeant = manualRun.shards?.includes(shard) ?? true
    if (
      !isMeant ||
      (manualRun.instances !== undefined && !manualRun.instances.includes(owner ?? ''))
    ) {
      continue
    }
    const why = message('disabled-shard-untriggered', { shard })
    actionPlan.skipped.push(omissionOf({ jobName: view.jobName, shard }, why))
  }
}

function triggered(view: JobView, instance: string): Effect {
  return effectOn(placeOf(view, instance), message('instance-triggered', { instance }))
}

function placeOf({ jobName }: JobView, instance: string): Target {
  return { jobName, server: serverOf(instance), instance }
}

function describe(jobName: string, { id, parameter, instances, shards }: ManualRun): Message {
  const what =
    shards === undefined
      ? message('all-shards')
      : message('some-shards', { shards: shards.join(', ') })
  const where =
    instances === undefined
      ? what
      : message('shards-on-instances', { shards: what, instances: instances.join(', ') })
  const how =
    parameter === undefined
      ? where
      : message('shards-with-parameter', { shards: where, parameter: JSON.stringify(parameter) })
  return message('manual-run-requested', { id, jobName, scope: how })
}
