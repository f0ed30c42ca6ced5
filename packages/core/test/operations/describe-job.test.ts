import { describe, expect, it } from 'vitest'

import { detailOf, summaryOf } from '../../src/operations/describe-job.ts'
import { configOf, snapshotIn } from '../support/tree-reader.ts'
import { java, type Situation, x, y } from '../tree.ts'

const now = 30_000
const well: Situation = {
  instances: [x, y],
  leader: x,
  owners: [x, y],
  config: configOf({ description: 'orders', shardingItemParameters: { 1: 'b' } }),
}

describe('summaryOf', () => {
  it('says what a list shows', async () => {
    expect(summaryOf(await snapshotIn(well, 'brief'), now)).toEqual({
      jobName: 'job',
      status: 'OK',
      legacyStatus: 'OK',
      paused: false,
      pausedServers: [],
      refusedClocks: [],
      removing: false,
      description: 'orders',
      cron: '0 * * * * ?',
      timeZone: undefined,
      shardingTotalCount: 2,
      instanceCount: 2,
      serverCount: 2,
      kind: 'ours',
      nextFireTime: new Date(60_000),
      problem: undefined,
      broken: [],
    })
  })

  it('promises no fire of a job that will not have one', async () => {
    for (const off of [
      { jobState: { paused: true } },
      { jobState: { removing: true } },
      { servers: { '10.0.0.1': 'DISABLED', '10.0.0.2': 'DISABLED' } },
      { instances: [] },
      { config: configOf({ cron: undefined }) },
    ]) {
      const { nextFireTime } = summaryOf(await snapshotIn({ ...well, ...off }), now)
      expect(nextFireTime).toBeUndefined()
    }
  })

  it('has something to say of a job that is broken', async () => {
    const summary = summaryOf(await snapshotIn({ ...well, config: 'nothing' }, 'brief'), now)
    expect(summary).toMatchObject({ status: 'BROKEN', cron: undefined, shardingTotalCount: 0 })
    expect(summary.problem).toContain('/ns/job/config')
    expect(summary.problemParts?.text).toBe(summary.problem)
  })
})

describe('detailOf', () => {
  it('describes every shard, also those whose owner is gone or which have none', async () => {
    const config = configOf({ shardingTotalCount: 3 })
    const { shards } = detailOf(await snapshotIn({ ...well, instances: [x], config }), now)
    expect(shards).toMatchObject([
      { shard: 0, owner: x, ownerOnline: true, state: 'pending' },
      { shard: 1, owner: y, ownerOnline: false, status: 'SHARDING_FLAG', state: 'owner-away' },
      { shard: 2, owner: undefined, server: undefined, state: 'no-owner' },
    ])
    expect(shards.map(({ obstacleParts }) => obstacleParts?.text)).toEqual(
      shards.map(({ obstacle }) => obstacle),
    )
  })

  it('shows a shard that is left over from a time when there were more', async () => {
    const config = configOf({ shardingTotalCount: 1 })
    const { shards } = detailOf(await snapshotIn({ ...well, config }), now)
    expect(shards.map(({ shard: shardingItem }) => shardingItem)).toEqual([0, 1])
  })

  it('tells of the last run of a shard, and of what is known beforehand', async () => {
    const words = {
      0: {
        state: 'idle' as const,
        run: 'r',
        instance: y,
        source: 'misfire' as const,
        attempt: 2,
        fireTime: 10,
        begin: 20,
        end: 30,
        outcome: 'failure' as const,
        error: 'Error: no',
      },
    }
    const [ran, never] = detailOf(await snapshotIn({ ...well, shardStates: words }), now).shards
    expect(ran).toMatchObject({
      run: {
        runId: 'r',
        instance: y,
        source: 'misfire',
        attempt: 2,
        fireTime: new Date(10),
        begin: new Date(20),
        end: new Date(30),
        outcome: 'failure',
        error: 'Error: no',
        stopping: false,
      },
      completed: false,
      lastBeginTime: new Date(20),
      lastCompleteTime: new Date(30),
      nextFireTime: new Date(60_000),
    })
    expect(never).toMatchObject({ run: undefined, lastBeginTime: undefined, parameter: 'b' })
  })

  it('tells who leads, who is asked to leave, and what moves', async () => {
    const situation = { ...well, moving: { 1: x }, jobState: { shutdown: [y], lastRound: 3 } }
    const job = detailOf(await snapshotIn({ ...situation, necessary: true }), now)
    expect(job).toMatchObject({ leader: x, resharding: 'requested', manualRuns: { last: 3 } })
    expect(job.shards[1]?.movesTo).toBe(x)
    expect(job.instances).toMatchObject([
      { instance: x, leads: true, leaving: false, shards: [0] },
      { instance: y, leads: false, leaving: true, shards: [1] },
    ])
    expect(job.servers).toMatchObject([{ status: 'READY' }, { status: 'SHUTDOWN', shards: [1] }])
  })

  it('tells who has taken a shard over', async () => {
    const marks = { 0: { running: y, failover: y, failovering: y } }
    const words = { 0: { state: 'running' as const, run: 'r', instance: y, attempt: 2 } }
    const [shard] = detailOf(await snapshotIn({ ...well, marks, shardStates: words }), now).shards
    expect(shard).toMatchObject({ failover: y, state: 'taken-over', run: { end: undefined } })
  })

  it('describes a job of Java’s alone', async () => {
    const situation = {
      instances: [java],
      leader: java,
      owners: [java, java],
      jobState: false as const,
    }
    const marks = { 1: { running: java } }
    const job = detailOf(await snapshotIn({ ...well, ...situation, marks, epoch: false }), now)
    expect(job).toMatchObject({ kind: 'java', status: 'OK', manualRuns: { last: 0 }, leader: java })
    expect(job.instances).toMatchObject([{ java: true, running: [1], shards: [0, 1] }])
    expect(job.shards.map(({ run }) => run)).toEqual([undefined, undefined])
  })
})
