/** Disables and enables servers and shards. The nodes are Java's, and both native and Java instances obey them. */
import { accountedUntil } from '../fire-times/due.ts'
import { isServerEnabled, type JobView, stateCheck, type Versioned } from '../job-tree/job-view.ts'
import {
  encodeShardState,
  type ShardState,
  mostUnreported,
  neverRun,
} from '../job-tree/shard-state.ts'
import { switchedOff, switchedOn } from '../job-tree/timeline.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import {
  changeJobState,
  type ActionPlan,
  emptyPlan,
  type Operator,
  planOf,
  requireNotRemoving,
} from './action-plan.ts'
import { effectOn } from './result.ts'
import { serversOf } from './server-status.ts'

/**
 * Changes the job state in the same transaction, so that the registry rejects earlier claims. The job state records
 * since when a job without an enabled server has not fired. It also records that an operator disabled the whole job:
 * otherwise the next deployment to new addresses would enable it again.
 */
export function planDisable(
  view: JobView,
  operator: Operator,
  now: number,
  server?: string,
): ActionPlan {
  requireNotRemoving(view)
  const actionPlan = planServers(view, operator, 'DISABLED', server)
  const isLeft = (ip: string): boolean => ip !== server && isServerEnabled(view, ip)
  const isOff = server === undefined || !serversOf(view).some(isLeft)
  if (view.jobState === undefined) return actionPlan
  const jobState = view.jobState.value
  const disabled = server === undefined ? true : jobState.disabled
  if (actionPlan.operations.length > 0 || disabled !== jobState.disabled) {
    const off = isOff ? switchedOff(jobState, 'disabled', now) : jobState.off
    actionPlan.operations.push(...changeJobState(view, operator, { off, disabled }))
  }
  return actionPlan
}

/**
 * A server that was disabled alone has missed nothing: other servers had its shards. A job that was disabled as a whole
 * starts afresh: fire times before `now` are not made up for.
 */
export function planEnable(
  view: JobView,
  operator: Operator,
  now: number,
  server?: string,
): ActionPlan {
  requireNotRemoving(view)
  const actionPlan = planServers(view, operator, 'ENABLED', server)
  const wasOff = !serversOf(view).some((ip) => isServerEnabled(view, ip))
  if (view.jobState === undefined) return actionPlan
  const disabled = undefined
  if (actionPlan.operations.length > 0 && wasOff) {
    const off = switchedOn(view.jobState.value, 'disabled', now)
    const changes = { resumed: now, off, disabled }
    actionPlan.operations.push(...changeJobState(view, operator, changes))
  } else if (view.jobState.value.disabled === true) {
    // Another tool has already enabled the servers; only the record in the job state is left.
    actionPlan.operations.push(...changeJobState(view, operator, { disabled }))
  }
  return actionPlan
}

function planServers(
  view: JobView,
  { paths }: Operator,
  wish: 'ENABLED' | 'DISABLED',
  server: string | undefined,
): ActionPlan {
  const { jobName } = view
  const actionPlan = emptyPlan()
  for (const ip of server === undefined ? serversOf(view) : [server]) {
    const effect = effectOn(
      { jobName, server: ip },
      wish === 'ENABLED'
        ? message('job-enabled-on-server', { jobName, server: ip })
        : message('job-disabled-on-server', { jobName, server: ip }),
    )
    const stands = view.servers.get(ip)
    if (stands === wish) {
      actionPlan.unchanged.push(effect)
      continue
    }
    const path = paths.server(ip)
    actionPlan.operations.push(
      stands === undefined ? part.create(path, wish) : part.set(path, wish),
    )
    actionPlan.done.push(effect)
  }
  return actionPlan
}

/** Disables a shard. Changes the job state in the same transaction, so that the registry rejects earlier claims. */
export function planShardDisable(view: JobView, operator: Operator, shard: number): ActionPlan {
  requireNotRemoving(view)
  const { paths } = operator
  const { jobName } = view
  const effect = effectOn({ jobName, shard }, message('shard-disabled', { shard, jobName }))
  const nodes = view.shards.get(shard)
  if (nodes?.disabled === true) return planOf(effect, [])
  return planOf(effect, [
    // The shard node may not exist yet, because the shards were never assigned.
    ...(nodes === undefined ? [part.create(paths.shard(shard))] : []),
    part.create(paths.mark(shard, 'disabled')),
    ...(view.jobState === undefined ? [] : changeJobState(view, operator, {})),
  ])
}

/**
 * Enables a shard. The shard state records the time, so that the owner does not make up for the fire times in between.
 * It also records that fire times before `disabledAt` may still have to be reported. While the shard runs, neither is
 * necessary, and the shard state belongs to its run. The transaction checks the job state: the shard may be beyond a
 * lowered shard count by now, and nothing would delete its shard state.
 */
export function planShardEnable(
  view: JobView,
  operator: Operator,
  shard: number,
  shardState: Versioned<ShardState> | undefined,
  { now, disabledAt }: { readonly now: number; readonly disabledAt: number },
): ActionPlan {
  requireNotRemoving(view)
  const { paths } = operator
  const { jobName } = view
  const effect = effectOn({ jobName, shard }, message('shard-enabled', { shard, jobName }))
  if (view.shards.get(shard)?.disabled !== true) return planOf(effect, [])
  const operations = [...stateCheck(view, operator), part.delete(paths.mark(shard, 'disabled'))]
  // A job that only Java runs has no shard states.
  if (view.jobState !== undefined && shardState?.value.state !== 'running') {
    const before = shardState?.value ?? neverRun
    const unreported = unreportedBefore(before, disabledAt)
    const text = encodeShardState({ ...before, since: now, unreported })
    const path = paths.shardState(shard)
    operations.push(
      shardState === undefined ? part.create(path, text) : part.set(path, text, shardState.version),
    )
  }
  return planOf(effect, operations)
}

/**
 * The unreported periods. The periods before two disables stay separate: the fire times between them were not meant to
 * run.
 */
function unreportedBefore(before: ShardState, disabledAt: number): ShardState['unreported'] {
  const after = accountedUntil(before)
  const { unreported: known = [] } = before
  if (after >= disabledAt) return before.unreported
  const period = { after, until: disabledAt }
  if (known.length < mostUnreported) return [...known, period]
  // A report that names too many fire times is better than a fire time that is never reported.
  const last = known.at(-1) ?? period
  return [...known.slice(0, -1), { ...last, until: disabledAt }]
}
