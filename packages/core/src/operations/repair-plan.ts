/**
 * Resets unreadable nodes to values that cause no duplicate run. Their content is lost, and the result says what it may
 * have been.
 */
import { encodeBarrierState, forgottenUntil } from '../barrier/barrier-state.ts'
import { type BrokenNode, whyBroken } from '../job-tree/broken-node.ts'
import { encodeShardState, neverRun } from '../job-tree/shard-state.ts'
import { isDead } from '../job-tree/job-view.ts'
import { encodeJobState } from '../job-tree/job-state.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { message, type Message } from '../message.ts'
import { type ActionPlan, emptyPlan, type Operator } from './action-plan.ts'
import { effectOn, omissionOf, type Target } from './result.ts'
import type { JobSnapshot } from './snapshot.ts'
import { storedIn } from './stored.ts'

export interface RepairContext {
  /** Registry time; no earlier fire time is due. */
  readonly now: number
  /** The instance named in the running mark of a shard; absent for a shard without the mark. */
  readonly markedBy: ReadonlyMap<number, string>
}

export function planRepair(
  snapshot: JobSnapshot,
  operator: Operator,
  context: RepairContext,
): ActionPlan {
  const { view, broken } = snapshot
  const { jobName } = view
  const actionPlan = emptyPlan()
  for (const node of broken) {
    const target: Target = node.shard === undefined ? { jobName } : { jobName, shard: node.shard }
    const runner = node.shard === undefined ? undefined : context.markedBy.get(node.shard)
    if (runner !== undefined && !isDead(view, runner)) {
      actionPlan.skipped.push(omissionOf(target, stillRuns(node.shard ?? 0, jobName, runner)))
      continue
    }
    actionPlan.operations.push(...resetOf(node, snapshot, operator, context))
    actionPlan.done.push(
      effectOn(
        target,
        message('repair-loss', { loss: lossOf(node, jobName), reason: whyBroken(node) }),
      ),
    )
  }
  if (isConfigurationUnreadable(snapshot)) {
    const { problem = '' } = storedIn(snapshot)
    actionPlan.skipped.push(
      omissionOf({ jobName }, message('configuration-not-repaired', { jobName, problem })),
    )
  }
  // Shard states are not watched: a new version of the job state makes every instance read them again.
  const isWoken = broken.some(({ kind }) => kind === 'job-state')
  if (actionPlan.operations.length > 0 && !isWoken && view.jobState !== undefined) {
    const text = encodeJobState(view.jobState.value)
    actionPlan.operations.push(part.set(operator.paths.jobState, text, view.jobState.version))
  }
  return actionPlan
}

/** Whether a configuration is stored and unreadable. */
export function isConfigurationUnreadable(snapshot: JobSnapshot): boolean {
  return snapshot.view.config !== undefined && storedIn(snapshot).configuration === undefined
}

function resetOf(
  { kind, shard = 0, version }: BrokenNode,
  snapshot: JobSnapshot,
  { paths }: Operator,
  { now, markedBy }: RepairContext,
): TransactionPart[] {
  const lastRound = lastManualRunOf(snapshot)
  switch (kind) {
    case 'job-state': {
      // Whether the job was paused is unknown. Pause it: to run a job that an operator has paused does more harm.
      const schedule = { digest: '', since: now }
      return [
        part.set(paths.jobState, encodeJobState({ lastRound, schedule, paused: true }), version),
      ]
    }
    case 'assignment':
      // Like a Java leader, clear the assignment: instances read the owners from the shards, and the leader reshards.
      return [part.set(paths.assignment, '', version)]
    case 'listener-calls':
      return [part.set(paths.shardStates, encodeBarrierState(forgottenUntil(now)), version)]
    case 'shard-state': {
      const state = { ...neverRun, since: now, round: lastRound }
      const nodes = snapshot.view.shards.get(shard)
      const marks = (['failover', 'failovering'] as const).filter(
        (mark) => nodes?.[mark] !== undefined,
      )
      const left = markedBy.has(shard) ? (['running', ...marks] as const) : marks
      return [
        ...left.map((mark) => part.delete(paths.mark(shard, mark))),
        part.set(paths.shardState(shard), encodeShardState(state), version),
      ]
    }
  }
}

/** The highest known id of a manual run, so that no shard counts as pending in a manual run that is over. */
function lastManualRunOf({ view, shardStates }: JobSnapshot): number {
  const rounds = [...shardStates.values()].map(({ value }) => value.round)
  return rounds.reduce(
    (last, manualRun) => Math.max(last, manualRun),
    view.jobState?.value.lastRound ?? 0,
  )
}

function lossOf({ kind, shard = 0 }: BrokenNode, jobName: string): Message {
  switch (kind) {
    case 'job-state':
      return message('job-state-reset', { jobName })
    case 'assignment':
      return message('assignment-reset', { jobName })
    case 'listener-calls':
      return message('listener-calls-reset', { jobName })
    case 'shard-state':
      return message('shard-state-reset', { shard, jobName })
  }
}

function stillRuns(shard: number, jobName: string, runner: string): Message {
  return message('shard-state-not-repaired', { shard, jobName, instance: runner })
}
