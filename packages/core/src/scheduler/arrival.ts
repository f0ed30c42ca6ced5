/** How an instance comes into a job, and how it brings back a job that the registry has lost. */
import { writeInstance } from '../config/instance-yaml.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import { missingState } from '../job-tree/missing-state.ts'
import { type Arrival, planRegistration } from '../servers/plan.ts'
import type { DeclaredIdentity } from './job-identity.ts'
import { makeJob } from './job-setup.ts'
import type { LiveConfiguration } from './live-configuration.ts'
import type { RememberedJob } from './remembered-job.ts'

/** The registry has lost the job: it is made again as it was. */
export async function recreateJob(
  host: Coordination,
  live: LiveConfiguration,
  declared: DeclaredIdentity,
  { jobState, ...disabled }: RememberedJob,
): Promise<void> {
  const { jobName, session, emit } = host
  await makeJob(host, declared, {
    ...disabled,
    configText: live.text,
    total: live.value.shardingTotalCount,
    jobState: scheduledNow(jobState, live, session.now()),
  })
  emit('reconcile:repaired', { jobName, what: 'the whole job, which the registry had lost' })
}

/** Registers this instance; answers the id that it is registered under. */
export async function registerInstance(
  host: Coordination,
  live: LiveConfiguration,
  arrival: Pick<Arrival, 'instanceText' | 'overwrite' | 'lostUntil'>,
): Promise<string> {
  const { session, replica } = host
  const { disabled, shardingTotalCount } = live.value
  const now = session.now()
  const known = scheduledNow(noJobState, live, now)
  const missing =
    replica.jobState === undefined
      ? await missingState(host, shardingTotalCount, known)
      : { jobState: known, hasStates: true }
  const member = host.member()
  await session.commit(planRegistration(replica, member, { ...arrival, ...missing, disabled, now }))
  return member.instance
}

function scheduledNow(jobState: JobState, live: LiveConfiguration, now: number): JobState {
  const { schedule, timing } = live
  const timeline = [{ from: now, ...timing }]
  return { ...jobState, schedule: { digest: schedule.digest, since: now }, timeline }
}

/** What the node of an instance says. */
export function instanceTextOf(instance: string, ip: string, { value }: LiveConfiguration): string {
  return writeInstance({ jobInstanceId: instance, labels: value.label, serverIp: ip })
}
