/** Servers and shards off and on: the nodes are Java's, and both obey them. */
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
 * The job state changes in the same transaction, so that no earlier claim holds. It notes since when a job without an
 * enabled server has not fired, and that an operator disabled the whole job: otherwise the next deploy to new addresses
 * would enable it again.
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
 * Who was disabled alone has missed nothing: others had the shards. A job that was disabled altogether begins anew:
 * what was scheduled until now is not made up for.
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
    // Another tool has enabled its servers.
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

/** The job's state changes with it, so that no claim holds that was planned before. */
export function planShardDisable(view: JobView, operator: Operator, shard: number): ActionPlan {
  requireNotRemoving(view)
  const { paths } = operator
  const { jobName } = view
  const effect = effectOn({ jobName, shard }, message('shard-disabled', { shard, jobName }))
  const nodes = view.shards.get(shard)
  if (nodes?.disabled === true) return planOf(effect, [])
  return planOf(effect, [
    // There may be no assignment yet.
    ...(nodes === undefined ? [part.create(paths.shard(shard))] : []),
    part.create(paths.mark(shard, 'disabled')),
    ...(view.jobState === undefined ? [] : changeJobState(view, operator, {})),
  ])
}

/**
 * The shard state remembers that it was off until now, so that whoever owns it does not make up for what was scheduled
 * meanwhile, and that fire times before `disabledAt` may still have to be reported. While it runs that cannot be
 * needed, and its state is its run's. The job state is checked: the shard may be beyond a lowered shard count by now,
 * and nothing would delete its state.
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
  // A job of Java's alone has no shard states.
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

/** The periods before two disables stay apart: between them lie fire times that were not to run. */
function unreportedBefore(before: ShardState, disabledAt: number): ShardState['unreported'] {
  const after = accountedUntil(before)
  const { unreported: known = [] } = before
  if (after >= disabledAt) return before.unreported
  const period = { after, until: disabledAt }
  if (known.length < mostUnreported) return [...known, period]
  // A report that names too much is better than a fire time that nothing reports.
  const last = known.at(-1) ?? period
  return [...known.slice(0, -1), { ...last, until: disabledAt }]
}
