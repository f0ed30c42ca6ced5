import type { SessionStatus } from '@elasticjob/core'
import { describe, expect, it } from 'vitest'

import { readingsOf, tracingReadings } from '../../src/metrics/readings.ts'
import type { Reading } from '../../src/metrics/series.ts'
import { historyOf } from '../support/history.ts'

const session: SessionStatus = {
  instance: 'me',
  state: 'connected',
  leaseLeft: undefined,
  outstanding: 2,
  replicaJobs: 3,
  replicaNodes: 40,
}
const job = { jobName: 'sync', isLeader: true, hasLeader: true, shards: 3, due: 1 }

const values = (readings: readonly Reading[], metric: Reading['metric']): unknown =>
  readings
    .filter((one) => one.metric === metric)
    .map(({ owner, labels, value }) => [owner.job ?? labels.state, value])

describe('readingsOf jobs', () => {
  it('reports their status', () => {
    const readings = readingsOf({ sessions: [], jobs: [job] }, 'shop', (name) => name)
    expect(values(readings, 'job.leader')).toEqual([['sync', 1]])
    expect(values(readings, 'job.leaderless')).toEqual([['sync', 0]])
    expect(values(readings, 'job.shards')).toEqual([['sync', 3]])
    expect(values(readings, 'job.shards.due')).toEqual([['sync', 1]])
  })

  it('adds up jobs with the same label, and omits those without one', () => {
    const jobs = [
      job,
      { ...job, jobName: 'b', hasLeader: false },
      { ...job, jobName: 'c', hasLeader: false },
      { ...job, jobName: 'gone' },
    ]
    const labels = new Map([
      ['sync', 'sync'],
      ['b', 'other'],
      ['c', 'other'],
    ])
    const readings = readingsOf({ sessions: [], jobs }, 'shop', (name) => labels.get(name))
    expect(values(readings, 'job.leaderless')).toEqual([
      ['sync', 0],
      ['other', 2],
    ])
    expect(values(readings, 'job.shards.due')).toEqual([
      ['sync', 1],
      ['other', 2],
    ])
  })
})

describe('readingsOf sessions', () => {
  it('counts them by state, including states without a session', () => {
    const sessions = [session, { ...session, state: 'suspended' } as const]
    const readings = readingsOf({ sessions, jobs: [] }, 'shop', () => undefined)
    expect(values(readings, 'sessions')).toEqual([
      ['connecting', 0],
      ['connected', 1],
      ['suspended', 1],
      ['lost', 0],
      ['closed', 0],
    ])
    expect(values(readings, 'replica.nodes')).toEqual([[undefined, 80]])
    expect(values(readings, 'zookeeper.requests.active')).toEqual([[undefined, 4]])
  })

  it('reports the shortest lease, only while something runs', () => {
    const idle = readingsOf({ sessions: [session], jobs: [] }, 'shop', () => undefined)
    expect(values(idle, 'lease.remaining')).toEqual([])
    const sessions = [{ ...session, leaseLeft: 9000 }, { ...session, leaseLeft: 4500 }, session]
    const busy = readingsOf({ sessions, jobs: [] }, 'shop', () => undefined)
    expect(values(busy, 'lease.remaining')).toEqual([[undefined, 4.5]])
  })
})

it('tracingReadings reports queue and drops over all databases', () => {
  expect(tracingReadings(undefined)).toEqual([])
  const one = historyOf(3, 1).metrics['database']
  const dropped = { executions: 0, statuses: 0, logs: 0, lost: 0, ends: 1 }
  const other = { queued: { entries: 4 }, dropped }
  if (one === undefined) throw new Error('there is no such database')
  const readings = tracingReadings({ metrics: { one, other } })
  expect(readings.map(({ metric, value }) => [metric, value])).toEqual([
    ['tracing.queued', 7],
    ['tracing.dropped', 2],
  ])
})
