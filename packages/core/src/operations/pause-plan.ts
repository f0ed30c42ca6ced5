/** Pauses and resumes the schedule of a job, or of a server in it. */
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import { switchedOff, switchedOn } from '../job-tree/timeline.ts'
import { message } from '../message.ts'
import {
  type Changes,
  changeJobState,
  type ActionPlan,
  type Operator,
  planOf,
  requireNotRemoving,
} from './action-plan.ts'
import { type Effect, effectOn, type Omission, omissionOf } from './result.ts'

export function planPause(
  view: JobView,
  operator: Operator,
  now: number,
  server?: string,
): ActionPlan {
  requireNotRemoving(view)
  const { jobName } = view
  const jobState = view.jobState?.value ?? noJobState
  const { paused = false, pausedServers = [] } = jobState
  const off = switchedOff(jobState, 'paused', now, server)
  const [isPaused, effect, changes] =
    server === undefined
      ? [paused, effectOn({ jobName }, message('job-paused', { jobName })), { paused: true }]
      : [
          pausedServers.includes(server),
          effectOn({ jobName, server }, message('job-paused-on-server', { jobName, server })),
          { pausedServers: [...pausedServers, server].toSorted() },
        ]
  const operations = isPaused ? [] : changeJobState(view, operator, { ...changes, off })
  return { ...planOf(effect, operations), skipped: javaInstances(view, server) }
}

/** Resumes the schedule. Fire times before `now` are not made up for: they were not meant to run. */
export function planResume(
  view: JobView,
  operator: Operator,
  now: number,
  server?: string,
): ActionPlan {
  requireNotRemoving(view)
  const { jobName } = view
  const jobState = view.jobState?.value ?? noJobState
  const { paused = false, pausedServers = [] } = jobState
  if (server === undefined) {
    const effect = effectOn({ jobName }, message('job-resumed', { jobName }))
    const isOff = paused || pausedServers.length > 0
    const changes = liftedForAll(jobState, now)
    const actionPlan = planOf(effect, isOff ? changeJobState(view, operator, changes) : [])
    actionPlan.done.push(...pausedServers.map((one) => lifted(jobName, one)))
    return actionPlan
  }
  const operations = pausedServers.includes(server)
    ? changeJobState(view, operator, liftedFor(jobState, server, now))
    : []
  if (!paused) {
    const again = message('job-resumed-on-server', { jobName, server })
    return planOf(effectOn({ jobName, server }, again), operations)
  }
  const why = message('whole-job-paused', { jobName })
  const done = operations.length === 0 ? [] : [lifted(jobName, server)]
  return { operations, done, unchanged: [], skipped: [omissionOf({ jobName, server }, why)] }
}

function lifted(jobName: string, server: string): Effect {
  return effectOn({ jobName, server }, message('server-resumed', { server }))
}

/** Resumes the job on all servers. If the job itself was not paused, due fire times stay due. */
function liftedForAll(jobState: JobState, now: number): Changes {
  const { paused, pausedServers = [], resumedServers } = jobState
  let { off } = jobState
  for (const server of [undefined, ...pausedServers]) {
    off = off && switchedOn({ ...jobState, off }, 'paused', now, server)
  }
  const changes = { paused: undefined, pausedServers: undefined, off }
  if (paused === true) return { ...changes, resumed: now }
  const servers = Object.fromEntries(pausedServers.map((server) => [server, now]))
  return { ...changes, resumedServers: { ...resumedServers, ...servers } }
}

function liftedFor(jobState: JobState, server: string, now: number): Partial<JobState> {
  const left = (jobState.pausedServers ?? []).filter((ip) => ip !== server)
  return {
    ...(left.length === 0 ? { pausedServers: undefined } : { pausedServers: left }),
    resumedServers: { ...jobState.resumedServers, [server]: now },
    off: switchedOn(jobState, 'paused', now, server),
  } as Partial<JobState>
}

/** The Java instances, which do not support pausing and continue to fire. */
function javaInstances(view: JobView, server: string | undefined): Omission[] {
  return [...view.instances]
    .filter((instance) => isJavaInstance(instance))
    .filter((instance) => server === undefined || serverOf(instance) === server)
    .toSorted()
    .map((instance) =>
      omissionOf(
        { jobName: view.jobName, server: serverOf(instance), instance },
        message('java-pause-unsupported', { instance }),
      ),
    )
}
