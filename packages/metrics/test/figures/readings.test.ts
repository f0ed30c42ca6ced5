import type { SessionStanding } from '@elasticjob/core'
import { describe, expect, it } from 'vitest'

import { readingsOf, tracingReadings } from '../../src/figures/readings.ts'
import type { Reading } from '../../src/figures/series.ts'
import { historyOf } from '../support/history.ts'

const session: SessionStanding = {
  instance: 'me',
  state: 'connected',
  leaseLeft: undefined,
  outstanding: 2,
  replicaJobs: 3,
  replicaNodes: 40,
}
const job = { jobName: 'sync', isLeader: true, hasLeader: true, items: 3, due: 1 }

const values = (readings: readonly Reading[], figure: Reading['figure']): unknown =>
  readings
    .filter((one) => one.figure === figure)
    .map(({ owner, labels, value }) => [owner.job ?? labels.state, value])

describe('jobs', () => {
  it('are what they stand for', () => {
    const readings = readingsOf({ sessions: [], jobs: [job] }, 'shop', (name) => name)
    expect(values(readings, 'job.leader')).toEqual([['sync', 1]])
    expect(values(readings, 'job.leaderless')).toEqual([['sync', 0]])
    expect(values(readings, 'job.items')).toEqual([['sync', 3]])
    expect(values(readings, 'job.items.due')).toEqual([['sync', 1]])
  })

  it('that share a name are added up, and those without one are left out', () => {
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
    expect(values(readings, 'job.items.due')).toEqual([
      ['sync', 1],
      ['other', 2],
    ])
  })
})

describe('sessions', () => {
  it('are counted by state, those that no session is in as well', () => {
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

  it('have a lease only while something runs: the shortest', () => {
    const idle = readingsOf({ sessions: [session], jobs: [] }, 'shop', () => undefined)
    expect(values(idle, 'lease.remaining')).toEqual([])
    const sessions = [{ ...session, leaseLeft: 9000 }, { ...session, leaseLeft: 4500 }, session]
    const busy = readingsOf({ sessions, jobs: [] }, 'shop', () => undefined)
    expect(values(busy, 'lease.remaining')).toEqual([[undefined, 4.5]])
  })
})

it('a history shows its queue and its drops, of all its databases', () => {
  expect(tracingReadings(undefined)).toEqual([])
  const one = historyOf(3, 1).figures['database']
  const dropped = { executions: 0, statuses: 0, logs: 0, lost: 0, ends: 1 }
  const other = { queued: { entries: 4 }, dropped }
  if (one === undefined) throw new Error('there is no such database')
  const readings = tracingReadings({ figures: { one, other } })
  expect(readings.map(({ figure, value }) => [figure, value])).toEqual([
    ['tracing.queued', 7],
    ['tracing.dropped', 2],
  ])
})
