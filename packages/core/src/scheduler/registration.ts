/** Registers an instance for a job, and recreates a job that the registry has lost. */
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { missingState } from '../job-tree/missing-state.ts'
import { type Arrival, planRegistration } from '../servers/plan.ts'
import type { JobContext } from './job-context.ts'
import type { DeclaredIdentity } from './job-identity.ts'
import { type JobMaterial, makeJob } from './job-setup.ts'
import type { LiveConfiguration } from './live-configuration.ts'

/** The state of a job that an instance keeps to recreate the job if the registry loses it. */
export type RememberedJob = Pick<JobMaterial, 'jobState' | 'disabledServers' | 'disabledShards'>

/** Keeps the settings of operators and the counters. Run states and instances are not kept. */
export function rememberedJob({ jobState, servers, shards }: JobView): RememberedJob {
  const { lastRound, paused, pausedServers, disabled: isDisabled } = jobState?.value ?? noJobState
  return {
    jobState: {
      lastRound,
      ...(paused === undefined ? {} : { paused }),
      ...(pausedServers === undefined ? {} : { pausedServers }),
      ...(isDisabled === undefined ? {} : { disabled: isDisabled }),
    },
    disabledServers: [...servers].filter(([, stored]) => stored === 'DISABLED').map(([ip]) => ip),
    disabledShards: [...shards].filter(([, { disabled }]) => disabled).map(([shard]) => shard),
  }
}

/** Recreates a job that the registry has lost. */
export async function recreateJob(
  context: JobContext,
  declared: DeclaredIdentity,
  { jobState, ...disabled }: RememberedJob,
): Promise<void> {
  const { jobName, session, live, emit } = context
  await makeJob(context, declared, {
    ...disabled,
    configText: live.text,
    total: live.value.shardingTotalCount,
    jobState: scheduledAt(session.now(), live, jobState),
  })
  emit('reconcile:repaired', { jobName, what: 'the whole job, which the registry had lost' })
}

/** Registers this instance; returns its instance id. */
export async function registerInstance(
  context: JobContext,
  arrival: Pick<Arrival, 'overwrite' | 'lostUntil'>,
): Promise<string> {
  const { session, replica, live } = context
  const { disabled, shardingTotalCount } = live.value
  const instanceText = context.instanceText()
  const now = session.now()
  const known = scheduledAt(now, live, noJobState)
  const missing =
    replica.jobState === undefined
      ? await missingState(context, shardingTotalCount, known)
      : { jobState: known, hasStates: true }
  const member = context.member()
  await session.commit(
    planRegistration(replica, member, { ...arrival, ...missing, instanceText, disabled, now }),
  )
  return member.instance
}

function scheduledAt(now: number, live: LiveConfiguration, jobState: JobState): JobState {
  const { schedule, timing } = live
  const timeline = [{ from: now, ...timing }]
  return { ...jobState, schedule: { digest: schedule.digest, since: now }, timeline }
}
