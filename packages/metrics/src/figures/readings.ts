/** What a scheduler is at this moment, as figures. */
import type { SessionStanding, Standing } from '@elasticjob/core'

import type { TracingSource } from '../options.ts'
import type { Owner, Reading } from './series.ts'

/** `labelOf`: under which name a job is kept; jobs with the same name are added up. */
export function readingsOf(
  { sessions, jobs }: Standing,
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
    const add = (figure: Reading['figure'], of: (one: (typeof same)[number]) => number): void => {
      readings.push({ figure, owner, labels: {}, value: sum(same.map(of)) })
    }
    add('job.leader', ({ isLeader }) => Number(isLeader))
    add('job.leaderless', ({ hasLeader }) => Number(!hasLeader))
    add('job.items', ({ items }) => items)
    add('job.items.due', ({ due }) => due)
  }
  return readings
}

/** All of them, so that one that is gone is 0 and not absent. */
const states = ['connecting', 'connected', 'suspended', 'lost', 'closed'] as const

function sessionReadings(sessions: readonly SessionStanding[], owner: Owner): Reading[] {
  const value = (figure: Reading['figure'], of: (one: SessionStanding) => number): Reading => ({
    figure,
    owner,
    labels: {},
    value: sum(sessions.map(of)),
  })
  const leases = sessions.map(({ leaseLeft }) => leaseLeft).filter((left) => left !== undefined)
  const lease: Reading = {
    figure: 'lease.remaining',
    owner,
    labels: {},
    value: Math.min(...leases) / 1000,
  }
  return [
    ...states.map((state) => ({
      figure: 'sessions' as const,
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

/** What the history is at this moment, of all databases together. */
export function tracingReadings(source: TracingSource | undefined): readonly Reading[] {
  if (source === undefined) return []
  const all = Object.values(source.figures)
  const queued = sum(all.map((one) => one.queued.entries))
  const dropped = sum(
    all.map(({ dropped: { executions, statuses, logs, lost, ends } }) =>
      sum([executions, statuses, logs, lost, ends]),
    ),
  )
  return [
    { figure: 'tracing.queued', owner: {}, labels: {}, value: queued },
    { figure: 'tracing.dropped', owner: {}, labels: {}, value: dropped },
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
