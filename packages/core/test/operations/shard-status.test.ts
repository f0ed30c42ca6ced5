import { describe, expect, it } from 'vitest'

import { runnerOf } from '../../src/operations/runner.ts'
import {
  isCompleted,
  legacyShardStatus,
  obstacleOf,
  shardPhase,
  shardStatus,
} from '../../src/operations/shard-status.ts'
import type { ShardState } from '../../src/job-tree/shard-state.ts'
import { snapshotIn } from '../support/tree-reader.ts'
import { java, type Situation, x, y, z } from '../tree.ts'

const well: Situation = { instances: [x, y], leader: x, owners: [x, y] }
const ended: Partial<ShardState> = { state: 'idle', run: 'r', instance: x, outcome: 'success' }
const runs = (instance: string): Partial<ShardState> => ({ state: 'running', run: 'r', instance })

describe('shardStatus', () => {
  const statusIn = async (situation: Situation): Promise<string> =>
    shardStatus(await snapshotIn({ ...well, ...situation }), 0)

  it('is one of four, in the order of Java', async () => {
    expect(await statusIn({})).toBe('PENDING')
    expect(await statusIn({ marks: { 0: { running: x } } })).toBe('RUNNING')
    expect(await statusIn({ marks: { 0: { running: x, disabled: '' } } })).toBe('DISABLED')
    expect(await statusIn({ owners: [z, y] })).toBe('SHARDING_FLAG')
  })

  it('is told of a shard whose owner is gone, or which has none', async () => {
    expect(await statusIn({ instances: [] })).toBe('SHARDING_FLAG')
    expect(await statusIn({ owners: [undefined, y] })).toBe('SHARDING_FLAG')
    expect(await statusIn({ owners: [] })).toBe('SHARDING_FLAG')
  })
})

describe('legacyShardStatus', () => {
  it('is RUNNING, COMPLETED or PENDING', async () => {
    const running = await snapshotIn({ ...well, marks: { 0: { running: x } } })
    expect(legacyShardStatus(running, 0)).toBe('RUNNING')
    expect(legacyShardStatus(await snapshotIn({ ...well, shardStates: { 0: ended } }), 0)).toBe(
      'COMPLETED',
    )
    expect(legacyShardStatus(await snapshotIn(well), 0)).toBe('PENDING')
  })

  it('does not take a run that failed for completed', async () => {
    const states = { 0: { ...ended, outcome: 'failure' as const } }
    expect(isCompleted(await snapshotIn({ ...well, shardStates: states }), 0)).toBe(false)
  })
})

describe('shardPhase', () => {
  const stateIn = async (situation: Situation, failover = false): Promise<string> => {
    const snapshot = await snapshotIn({ ...well, ...situation })
    // Whatever is in the way has words, and nothing else has.
    const isStopped = /disabled|owner|paused|waiting/.test(shardPhase(snapshot, 0, failover))
    expect(obstacleOf(snapshot, 0, failover) !== undefined).toBe(isStopped)
    return shardPhase(snapshot, 0, failover)
  }

  it('is pending when nothing is in the way', async () => {
    expect(await stateIn({})).toBe('pending')
    expect(await stateIn({ shardStates: { 0: ended } })).toBe('pending')
  })

  it('is running by the state of ours, and by the mark of Java', async () => {
    expect(await stateIn({ shardStates: { 0: runs(x) } })).toBe('running')
    const mixed = { instances: [x, java], leader: java, owners: [java, x], epoch: false as const }
    expect(await stateIn({ ...mixed, marks: { 0: { running: java } } })).toBe('running')
  })

  it('is taken over by who runs it for a crashed one', async () => {
    const marks = { 0: { running: y, failover: y, failovering: y } }
    expect(await stateIn({ shardStates: { 0: runs(y) }, marks }, true)).toBe('taken-over')
  })

  it('is stopping when an operator wants that run to end, and no other', async () => {
    expect(await stateIn({ shardStates: { 0: runs(x) }, jobState: { stops: { 0: 'r' } } })).toBe(
      'stopping',
    )
    expect(await stateIn({ shardStates: { 0: runs(x) }, jobState: { stops: { 0: 'q' } } })).toBe(
      'running',
    )
  })

  it('waits for failover, or has crashed where there is none', async () => {
    const shardStates = { 0: runs(z) }
    expect(await stateIn({ shardStates }, true)).toBe('waiting-for-failover')
    expect(await stateIn({ shardStates })).toBe('crashed')
    expect(await stateIn({ shardStates: { 0: { ...runs(z), state: 'crashed' } } })).toBe('crashed')
    expect(await stateIn({ waitingForFailover: [0] }, true)).toBe('waiting-for-failover')
  })

  it('is abandoned when it was begun too often', async () => {
    expect(await stateIn({ shardStates: { 0: { ...runs(z), state: 'abandoned' } } })).toBe(
      'abandoned',
    )
  })

  it('is disabled, paused, or without an owner who could run it', async () => {
    expect(await stateIn({ marks: { 0: { disabled: '' } } })).toBe('disabled')
    expect(await stateIn({ jobState: { paused: true } })).toBe('paused')
    expect(await stateIn({ jobState: { pausedServers: ['10.0.0.1'] } })).toBe('paused')
    expect(await stateIn({ owners: [] })).toBe('no-owner')
    expect(await stateIn({ instances: [], owners: [] })).toBe('no-owner')
    expect(await stateIn({ owners: [z, y] })).toBe('owner-away')
    expect(await stateIn({ instances: [y], leaving: [x] })).toBe('owner-away')
    expect(await stateIn({ servers: { '10.0.0.1': 'DISABLED' } })).toBe('owner-away')
  })
})

describe('runnerOf', () => {
  it('does not take what a dead instance has left for a run', async () => {
    const snapshot = await snapshotIn({
      ...well,
      marks: { 0: { running: z } },
      shardStates: { 0: runs(z) },
    })
    expect(runnerOf(snapshot, 0)).toBeUndefined()
  })

  it('takes a mark without a name, as old versions make it, for the owner’s', async () => {
    const snapshot = await snapshotIn({
      instances: [java],
      leader: java,
      owners: [java],
      epoch: false,
      marks: { 0: { running: '' } },
    })
    expect(runnerOf(snapshot, 0)).toBe(java)
  })

  it('is one who has left and still runs', async () => {
    const snapshot = await snapshotIn({
      instances: [y],
      leaving: [x],
      owners: [y],
      shardStates: { 0: runs(x) },
    })
    expect(runnerOf(snapshot, 0)).toBe(x)
  })
})
