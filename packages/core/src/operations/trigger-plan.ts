/** A round that an operator asks for; of Java's instances, what comes closest to it. */
import { part } from '@elasticjob/zookeeper'

import { ElasticJobError } from '../errors.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Round } from '../job-tree/job-word.ts'
import { say, type Sentence } from '../sentence.ts'
import { ownerOf } from '../sharding/needs.ts'
import { failedItems, planRound, type RoundRequest } from '../trigger/plan.ts'
import { type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { requireInstance, requireItem, requireServer } from './known.ts'
import { type Effect, effectOn, omissionOf, type Target } from './result.ts'
import type { RunsOfJob } from './runner.ts'
import { instancesOn } from './server-status.ts'

export interface TriggerRequest {
  /**
   * Takes the place of `jobParameter` for this round.
   * @default none
   */
  readonly parameter?: string | undefined
  /**
   * The instances whose items are to run.
   * @default all
   */
  readonly instances?: readonly string[] | undefined
  /**
   * The servers whose items are to run.
   * @default all
   */
  readonly servers?: readonly string[] | undefined
  /**
   * The items to run.
   * @default all
   */
  readonly items?: readonly number[] | undefined
  /**
   * Only items whose last run did not end well.
   * @default false
   */
  readonly failed?: boolean | undefined
}

export interface TriggerDraft extends Draft {
  /** Undefined if Java instances alone are asked: they know no rounds. */
  readonly round: Round | undefined
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
): TriggerDraft {
  const { view } = job
  requireStaying(view)
  const wanted = roundRequestOf(job, request, settings)
  const targets = wanted.instances ?? [...view.instances].toSorted()
  const ours = targets.filter((instance) => !isJavaInstance(instance))
  const draft = emptyDraft()
  if (ours.length === 0 && targets.length > 0) {
    requireJavaCan(view, wanted)
    triggerJava(view, operator, targets, draft)
    return { ...draft, round: undefined }
  }
  const { round, operations } = planRound(view, operator, wanted, settings.now)
  draft.operations.push(...operations)
  const effect = effectOn({ jobName: view.jobName }, describe(view.jobName, round))
  if (operations.length === 0) draft.unchanged.push(effect)
  else draft.done.push(effect)
  tellOfJava(view, wanted, targets, draft)
  tellOfDisabled(view, round, settings.total, draft)
  return { ...draft, round }
}

/** In the form in which a round is kept, with names and numbers that exist. */
function roundRequestOf(
  { view, words }: RunsOfJob,
  request: TriggerRequest,
  { total, failover }: TriggerSettings,
): RoundRequest {
  const { parameter, instances, servers, items, failed = false } = request
  for (const instance of instances ?? []) requireInstance(view, instance)
  for (const ip of servers ?? []) requireServer(view, ip)
  for (const item of items ?? []) requireItem(view, item, total)
  const named = [...(instances ?? []), ...(servers ?? []).flatMap((ip) => instancesOn(view, ip))]
  const isSome = instances !== undefined || servers !== undefined
  const meant = items === undefined ? undefined : [...new Set(items)].toSorted((a, b) => a - b)
  const chosen = failed ? failedAmong(failedItems(view, words, failover), meant, view) : meant
  return {
    ...(parameter === undefined ? {} : { parameter }),
    ...(isSome ? { instances: [...new Set(named)].toSorted() } : {}),
    ...(chosen === undefined ? {} : { items: chosen }),
  }
}

function failedAmong(
  failed: readonly number[],
  meant: readonly number[] | undefined,
  { jobName }: JobView,
): number[] {
  const items = failed.filter((item) => meant?.includes(item) ?? true)
  if (items.length > 0) return items
  throw new ElasticJobError(
    'JOB_NOTHING_FAILED',
    say`no item of job ${jobName} that is asked for has failed the last time it ran; there is nothing to run again`,
  )
}

/** A Java instance that is triggered runs all that it owns, with the job's own parameter. */
function requireJavaCan({ jobName }: JobView, { parameter, items }: RoundRequest): void {
  if (parameter === undefined && items === undefined) return
  throw new ElasticJobError(
    'JOB_JAVA_INSTANCE',
    parameter === undefined
      ? say`job ${jobName} is run by Java instances here: they can be triggered only for all that they own, without items of one's own`
      : say`job ${jobName} is run by Java instances here: they can be triggered only for all that they own, without a parameter of one's own`,
  )
}

function triggerJava(
  view: JobView,
  { paths, make }: Operator,
  targets: readonly string[],
  draft: Draft,
): void {
  if (!view.folders.has('trigger')) draft.operations.push(make.persistent(paths.triggers))
  for (const instance of targets) {
    const path = paths.trigger(instance)
    // One that was left there was not seen: Java acts when the node comes, not because it is there.
    if (view.triggers.has(instance)) draft.operations.push(part.delete(path))
    draft.operations.push(make.persistent(path))
    draft.done.push(triggered(view, instance))
  }
}

/** Beside a round of ours: those who can do what is asked were triggered with it. */
function tellOfJava(
  view: JobView,
  { parameter, items }: RoundRequest,
  targets: readonly string[],
  draft: Draft,
): void {
  const isAllTheirs = parameter === undefined && items === undefined
  for (const instance of targets) {
    if (!isJavaInstance(instance)) continue
    if (isAllTheirs && draft.operations.length > 0) {
      draft.done.push(triggered(view, instance))
    }
    if (isAllTheirs) continue
    const why = say`${instance} is a Java instance: it cannot be triggered for some of its items, or with a parameter`
    draft.skipped.push(omissionOf(placeOf(view, instance), why))
  }
}

function tellOfDisabled(view: JobView, round: Round, total: number, draft: Draft): void {
  for (let item = 0; item < total; item++) {
    if (view.items.get(item)?.disabled !== true) continue
    const owner = ownerOf(view, item)
    const isMeant = round.items?.includes(item) ?? true
    if (!isMeant || (round.instances !== undefined && !round.instances.includes(owner ?? ''))) {
      continue
    }
    const why = say`item ${item} is disabled and does not run in this round`
    draft.skipped.push(omissionOf({ jobName: view.jobName, item }, why))
  }
}

function triggered(view: JobView, instance: string): Effect {
  return effectOn(placeOf(view, instance), say`${instance} is triggered`)
}

function placeOf({ jobName }: JobView, instance: string): Target {
  return { jobName, server: serverOf(instance), instance }
}

function describe(jobName: string, { id, parameter, instances, items }: Round): Sentence {
  const what = items === undefined ? say`all items` : say`items ${items.join(', ')}`
  const where = instances === undefined ? what : say`${what} on ${instances.join(', ')}`
  const how =
    parameter === undefined ? where : say`${where} with parameter ${JSON.stringify(parameter)}`
  return say`round ${id} of job ${jobName} is asked for: ${how}`
}
