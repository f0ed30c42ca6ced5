/** The current status of a scheduler as metrics. */
import type { SessionStatus, ProcessStatus } from '@elasticjob/core'

import type { TracingSource } from '../options.ts'
import type { Owner, Reading } from './series.ts'

/** `labelOf` returns the label of a job; jobs with the same label are added up. */
export function readingsOf(
  { sessions, jobs }: ProcessStatus,
  namespace: string,
  labelOf: (jobName: string) => string | undefined,
): readonly Reading[] {
  const byLabel = new Map<string, (typeof jobs)[number][]>()
  for (const job of jobs) {
    const label = labelOf(job.jobName)
    if (label === undefined) continue
    const same = byLabel.get(label)
    if (same === undefined) byLabel.set(label, [job])
    else same.push(job)
  }
  const readings: Reading[] = sessionReadings(sessions, { namespace })
  for (const [job, same] of byLabel) {
    const owner = { namespace, job }
    const add = (metric: Reading['metric'], of: (one: (typeof same)[number]) => number): void => {
      readings.push({ metric, owner, labels: {}, value: sum(same.map(of)) })
    }
    add('job.leader', ({ isLeader }) => Number(isLeader))
    add('job.leaderless', ({ hasLeader }) => Number(!hasLeader))
    add('job.shards', ({ shards }) => shards)
    add('job.shards.due', ({ due }) => due)
  }
  return readings
}

/** All states, so that a state without a session is 0 and not absent. */
const states = ['connecting', 'connected', 'suspended', 'lost', 'closed'] as const

function sessionReadings(sessions: readonly SessionStatus[], owner: Owner): Reading[] {
  const value = (metric: Reading['metric'], of: (one: SessionStatus) => number): Reading => ({
    metric,
    owner,
    labels: {},
    value: sum(sessions.map(of)),
  })
  const leases = sessions.map(({ leaseLeft }) => leaseLeft).filter((left) => left !== undefined)
  const lease: Reading = {
    metric: 'lease.remaining',
    owner,
    labels: {},
    value: Math.min(...leases) / 1000,
  }
  return [
    ...states.map((state) => ({
      metric: 'sessions' as const,
      owner,
      labels: { state },
      value: sessions.filter((one) => one.state === state).length,
    })),
    ...(leases.length === 0 ? [] : [lease]),
    value('replica.jobs', ({ replicaJobs }) => replicaJobs),
    value('replica.nodes', ({ replicaNodes }) => replicaNodes),
    value('zookeeper.requests.active', ({ outstanding }) => outstanding),
  ]
}

/** The current status of the history, over all databases. */
export function tracingReadings(source: TracingSource | undefined): readonly Reading[] {
  if (source === undefined) return []
  const all = Object.values(source.metrics)
  const queued = sum(all.map((one) => one.queued.entries))
  const dropped = sum(
    all.map(({ dropped: { executions, statuses, logs, lost, ends } }) =>
      sum([executions, statuses, logs, lost, ends]),
    ),
  )
  return [
    { metric: 'tracing.queued', owner: {}, labels: {}, value: queued },
    { metric: 'tracing.dropped', owner: {}, labels: {}, value: dropped },
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
